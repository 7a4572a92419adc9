// mpi_starter.hpp -- how another library starts MPI, and the recording with it (measure/dispatch/mpi_abi.hpp).
//
// Calls: may block.
#pragma once

#include "measure/dispatch/mpi_abi.hpp"

namespace tarry::measure {

bool has_mpi_begun();
void start_mpi_otherwise(void (*init)(void* closure), void* closure, bool (*enter)(Ticks time));
void end_mpi_otherwise(void (*finalise)());
std::uint64_t world_uid();

inline constexpr MpiStarter kMpiStarter = {has_mpi_begun, start_mpi_otherwise, end_mpi_otherwise, world_uid};

}  // namespace tarry::measure

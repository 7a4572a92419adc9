// mpi_entries.hpp -- the MPI_X that programs find: each jumps to its target.
//
// Calls: may block.
#pragma once

#include <cstddef>

namespace tarry::measure {

struct MpiEntry {
  const char* name;
  void* address;    // what programs call
  void* unsettled;  // the target while no wrapper is chosen: asks tarry_choose_mpi_target()
};

/// Of the functions of all ABIs, by name.
extern const MpiEntry* const kMpiEntryList;
extern const std::size_t kMpiEntryCount;

/// Calls of the entry with that number go to `target` from now on.
void set_mpi_target(std::size_t number, void* target);

/// Where a call from the code at `caller` is to go on. Defined by mpi_dispatch.cpp.
extern "C" __attribute__((visibility("hidden"))) void* tarry_choose_mpi_target(std::size_t number, const void* caller);

}  // namespace tarry::measure

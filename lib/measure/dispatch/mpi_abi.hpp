// mpi_abi.hpp -- the wrappers of one MPI ABI, as the dispatcher sees them.
//
// Programs call MPI_X whatever their MPI library is, but handles, constants and MPI_Status differ: lib/measure/mpi is
// compiled once for each ABI. The dispatcher alone is found by programs, and leads them to the wrappers of their ABI.
//
// Calls: may block.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/units.hpp"

namespace tarry::measure {

/// kStandard: the ABI of MPI 5.0, whatever the library is.
enum class MpiKind { kOpenMpi, kMpich, kStandard, kUnknown };

struct MpiEntryPoint {
  const char* name;  // "MPI_Send"
  void* address;
};

/// For another library that starts MPI by itself: OpenSHMEM of Open MPI.
struct MpiStarter {
  /// MPI has been initialised, be it recorded or not.
  bool (*has_begun)();
  /// `init(closure)` initialises it. Starts the recording behind it, with enter(time) at the time of this call.
  void (*initialise)(void (*init)(void* closure), void* closure, bool (*enter)(Ticks time));
  /// Those that have initialised MPI so end it, by `finalise()`.
  void (*finalise)(void (*finalise)());
  /// Names MPI_COMM_WORLD in the archive, as Communicator::uid.
  std::uint64_t (*world_uid)();
};

struct MpiWrappers {
  const MpiEntryPoint* entries;  // by name
  std::size_t entry_count;
  void (*redirect_calls)();  // see lib/measure/mpi/other_tools.hpp
  MpiStarter starter;
};

// Each is there if its ABI was found when this library was built.
extern "C" const MpiWrappers tarry_openmpi_wrappers, tarry_mpich_wrappers, tarry_standard_wrappers;

/// nullptr if there is none.
void* find_wrapper(const MpiWrappers& wrappers, const char* name);

}  // namespace tarry::measure

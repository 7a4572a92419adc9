// mpi_abi.hpp -- the wrappers of one MPI ABI, as the dispatcher sees them.
//
// Programs call MPI_X whatever their MPI library is, but handles, constants and MPI_Status differ: lib/measure/mpi is
// compiled once for each ABI. The dispatcher alone is found by programs, and leads them to the wrappers of their ABI.
//
// Calls: may block.
#pragma once

#include <cstddef>

namespace tarry::measure {

/// kStandard: the ABI of MPI 5.0, whatever the library is.
enum class MpiKind { kOpenMpi, kMpich, kStandard, kUnknown };

struct MpiEntryPoint {
  const char* name;  // "MPI_Send"
  void* address;
};

struct MpiWrappers {
  const MpiEntryPoint* entries;  // by name
  std::size_t entry_count;
  void (*redirect_calls)();  // see lib/measure/mpi/other_tools.hpp
};

// Each is there if its ABI was found when this library was built.
extern "C" const MpiWrappers tarry_openmpi_wrappers, tarry_mpich_wrappers, tarry_standard_wrappers;

/// nullptr if there is none.
void* find_wrapper(const MpiWrappers& wrappers, const char* name);

}  // namespace tarry::measure

// mpi_api.hpp -- MPI as the wrappers see it: PMPI_X and the predefined handles come from a table of addresses.
//
// The recorder's own calls are PMPI_X. A wrapper passes the program's call on to NMPI_X: the next MPI_X behind ours,
// which is PMPI_X unless another tool has one (other_tools.hpp).
//
// This library refers to no symbol of MPI. The table is filled when the program first calls MPI (mpi_binding.cpp). The
// files of this folder are compiled once for each ABI. What differs, besides mpi.h, is stated here.
//
// Calls: may block.
#pragma once

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include "measure/dispatch/mpi_abi.hpp"

#include "abi/mpi_table.hpp"

namespace tarry::measure {

/// Before MPI_Init and after MPI_Finalize, entries that look the function up first; in between, the MPI library's own.
extern MpiFunctions g_mpi;

/// Where the program's calls go on.
extern MpiFunctions g_next;

/// Null until the first call of MPI.
extern MpiObjects g_mpi_objects;

#if defined(MPI_ABI_VERSION) && MPI_ABI_VERSION > 0
#define TARRY_STANDARD_MPI 1
#define TARRY_OWN_WRAPPERS tarry_standard_wrappers
inline constexpr MpiKind kOwnKind = MpiKind::kStandard;

/// The error class that a function has returned: what a code is made of is up to the library.
inline int error_class_of(int outcome) {
  int error_class = outcome;
  if (outcome != MPI_SUCCESS) g_mpi.Error_class(outcome, &error_class);
  return error_class;
}
#elif defined(OPEN_MPI)
#define TARRY_OWN_WRAPPERS tarry_openmpi_wrappers
inline constexpr MpiKind kOwnKind = MpiKind::kOpenMpi;

/// The error class that a function has returned: what Open MPI returns are classes.
inline int error_class_of(int outcome) { return outcome; }
#else
#define TARRY_OWN_WRAPPERS tarry_mpich_wrappers
inline constexpr MpiKind kOwnKind = MpiKind::kMpich;

/// The error class that a function has returned: the lowest bits of a code, unless the program has made the code.
inline int error_class_of(int outcome) {
  constexpr int kClass = 0x7f, kMadeByProgram = 0x40000000;
  return outcome & kMadeByProgram ? outcome : outcome & kClass;
}
#endif

}  // namespace tarry::measure

// Open MPI's mpi.h defines MPI_COMM_WORLD and the like by this macro.
#undef OMPI_PREDEFINED_GLOBAL
#define OMPI_PREDEFINED_GLOBAL(type, global) (static_cast<type>(::tarry::measure::g_mpi_objects.global))

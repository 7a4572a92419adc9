// mpi_api.hpp -- MPI as the wrappers see it: PMPI_X and the predefined handles come from a table of addresses.
//
// This library refers to no symbol of MPI. The table is filled when the program first calls MPI (mpi_binding.cpp).
#pragma once

#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include "measure/mpi/mpi_table.hpp"

namespace tarry::measure {

/// Before MPI_Init and after MPI_Finalize, entries that look the function up first; in between, the MPI library's own.
extern MpiFunctions g_mpi;

/// Null until the first call of MPI.
extern MpiObjects g_mpi_objects;

}  // namespace tarry::measure

// mpi.h defines MPI_COMM_WORLD and the like by this macro.
#undef OMPI_PREDEFINED_GLOBAL
#define OMPI_PREDEFINED_GLOBAL(type, global) (static_cast<type>(::tarry::measure::g_mpi_objects.global))

// mpi_entry.hpp -- how entry points that the program finds in place of MPI's own are declared.
//
// Calls: may block.
#pragma once

#include "measure/mpi/mpi_api.hpp"

/// Stands before the definition of MPI_X in a library that hides everything else.
#define TARRY_MPI_ENTRY extern "C" __attribute__((visibility("default")))

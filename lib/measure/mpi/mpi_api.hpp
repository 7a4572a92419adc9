// mpi_api.hpp -- MPI as the wrappers see it: weak, so that the library also loads into programs without MPI.
#pragma once

#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include "measure/mpi/mpi_weak.hpp"

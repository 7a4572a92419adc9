// wrapper_parts.hpp -- everything the generated wrappers are made of.
//
// Calls: may block.
#pragma once

#include "measure/mpi/clock_offsets.hpp"
#include "measure/mpi/collectives.hpp"
#include "measure/mpi/files.hpp"
#include "measure/mpi/mpi_entry.hpp"
#include "measure/mpi/one_sided.hpp"
#include "measure/mpi/outcomes.hpp"
#include "measure/mpi/partners.hpp"
#include "measure/mpi/point_to_point.hpp"

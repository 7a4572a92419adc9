// topologies.hpp -- the grids and graphs that members of communicators form.
//
// Calls: may block.
#pragma once

#include <cstdint>

#include "defs/definitions.hpp"
#include "measure/mpi/mpi_api.hpp"

namespace tarry::measure {

/// Defines the topology of a communicator that has one; `id` is its number in this process's events. A graph in which
/// this process has more neighbours than fit into a definition is left out.
void define_topology(MPI_Comm comm, CommId id, int rank);

}  // namespace tarry::measure

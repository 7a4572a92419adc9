// mpi_worlds.hpp -- the sets of processes of a run that share an MPI_COMM_WORLD.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "defs/definitions.hpp"

namespace tarry {

/// Processes that were started together: by the launcher, or by one MPI_Comm_spawn. Their world ranks follow each
/// other.
struct MpiWorld {
  CommId comm;                // MPI_COMM_WORLD of these processes
  std::uint32_t first = 0;    // world rank of the first process
  std::uint32_t size = 0;     // members of MPI_COMM_WORLD
  std::uint32_t missing = 0;  // members that left nothing

  bool contains(std::uint32_t world_rank) const { return world_rank >= first && world_rank - first < size; }
};

/// All MPI_COMM_WORLDs of the definitions of a run, by first process; no process is in two of them.
std::vector<MpiWorld> mpi_worlds(const Definitions& definitions);

/// "2: ranks 0-1; ranks 2-3"; empty for a single one. Of many, the first ones.
std::string describe(const std::vector<MpiWorld>& worlds);

}  // namespace tarry

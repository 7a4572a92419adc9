// world_table.hpp -- which processes MPI_Init and MPI_Finalize synchronise: those that share an MPI_COMM_WORLD.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "defs/mpi_worlds.hpp"

namespace tarry {

/// The worlds of a trace, numbered from 0. Where the definitions do not tell several, there is one of all processes; of
/// several, processes in none of them make one more.
class WorldTable {
 public:
  /// `world_ranks`: of all processes in the trace, by rank index.
  WorldTable(const Definitions& definitions, std::span<const std::uint32_t> world_ranks);

  std::size_t size() const { return members_.size(); }
  bool are_several() const { return !comms_.empty(); }

  /// The world of a process.
  std::uint32_t of(std::uint32_t rank_index) const { return world_of_.empty() ? 0 : world_of_[rank_index]; }

  /// World ranks of the processes in the trace, ascending.
  const std::vector<std::uint32_t>& members(std::uint32_t world) const { return members_[world]; }

  /// The id of MPI_COMM_WORLD of one of several worlds; 0xffffffff if it is not known.
  std::uint32_t comm(std::uint32_t world) const { return world < comms_.size() ? comms_[world] : CommId::kNone; }

 private:
  std::vector<std::vector<std::uint32_t>> members_;
  std::vector<std::uint32_t> comms_;
  std::vector<std::uint32_t> world_of_;  // by rank index; empty: there is one world
};

}  // namespace tarry

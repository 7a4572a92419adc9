// world_table.hpp -- which processes MPI_Init and MPI_Finalize synchronise: those that share an MPI_COMM_WORLD.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/arrays/indexed.hpp"
#include "defs/mpi_worlds.hpp"
#include "replay/trace_ids.hpp"

namespace tarry {

/// The worlds of a trace, numbered from 0. Where the definitions do not tell several, there is one of all processes; of
/// several, processes in none of them make one more.
class WorldTable {
 public:
  /// `world_ranks`: of all processes in the trace, by rank index.
  WorldTable(const Definitions& definitions, IdView<WorldRank> world_ranks);

  std::size_t size() const { return members_.size(); }
  bool are_several() const { return !comms_.empty(); }

  /// The world of a process.
  WorldIndex of(RankIndex rank) const { return world_of_.empty() ? WorldIndex(0) : world_of_[rank]; }

  /// Its processes in the trace, ascending.
  IdView<WorldRank> members(WorldIndex world) const { return IdView<WorldRank>(members_[world]); }

  /// MPI_COMM_WORLD of one of several worlds; none if it is not known.
  CommId comm(WorldIndex world) const { return comms_.has(world) ? comms_[world] : CommId(); }

 private:
  Indexed<WorldIndex, std::vector<std::vector<std::uint32_t>>> members_;
  Indexed<WorldIndex, std::vector<CommId>> comms_;
  Indexed<RankIndex, std::vector<WorldIndex>> world_of_;  // empty: there is one world
};

}  // namespace tarry

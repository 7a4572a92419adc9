// started_worlds.hpp -- which processes a call of MPI_Comm_spawn has started.
#pragma once

#include <map>

#include "replay/trace.hpp"

namespace tarry {

/// Finds them by the inter-communicators that the calls return.
class StartedWorlds {
 public:
  explicit StartedWorlds(const Trace& trace) : trace_(trace), worlds_(trace.mpi_worlds()) {}

  /// The world on the other side of an inter-communicator of a process; none if that is no world.
  WorldIndex world_of(CommId comm, RankIndex spawner);

 private:
  struct Sides {
    WorldIndex local{}, remote{};  // the world that is one side of an inter-communicator
  };

  WorldIndex world_with(std::span<const std::uint32_t> members) const;

  const Trace& trace_;
  const WorldTable& worlds_;
  std::map<CommId, Sides> sides_of_;  // by inter-communicator
};

}  // namespace tarry

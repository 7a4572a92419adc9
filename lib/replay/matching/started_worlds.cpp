// started_worlds.cpp -- which processes a call of MPI_Comm_spawn has started.
#include "replay/matching/started_worlds.hpp"

#include <algorithm>
#include <span>

namespace tarry {

WorldIndex StartedWorlds::world_of(CommId comm, RankIndex spawner) {
  const auto [at, is_new] = sides_of_.try_emplace(comm);
  if (is_new) {
    const std::span members = trace_.communicators().members(comm).numbers();
    const std::size_t local = trace_.communicators().local_size(comm);
    at->second = {world_with(members.first(local)), world_with(members.subspan(local))};
  }
  const Sides& sides = at->second;
  const WorldIndex own = worlds_.of(spawner);
  if (sides.remote.is_valid() && sides.remote != own) return sides.remote;
  return sides.local != own ? sides.local : WorldIndex();
}

// The world with exactly these members.
WorldIndex StartedWorlds::world_with(std::span<const std::uint32_t> members) const {
  for (const std::uint32_t member : members) {
    const RankIndex index = trace_.index_of(WorldRank(member));
    if (!index.is_valid()) continue;
    const CommId comm = worlds_.comm(worlds_.of(index));
    if (!comm.is_valid()) return {};
    const auto all = trace_.communicators().members(comm).numbers();
    return std::equal(all.begin(), all.end(), members.begin(), members.end()) ? worlds_.of(index) : WorldIndex();
  }
  return {};
}

}  // namespace tarry

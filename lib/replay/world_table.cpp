// world_table.cpp -- which processes MPI_Init and MPI_Finalize synchronise.
#include "replay/world_table.hpp"

#include <algorithm>

namespace tarry {

WorldTable::WorldTable(const Definitions& definitions, IdView<WorldRank> world_ranks) {
  const std::vector<MpiWorld> worlds = mpi_worlds(definitions);
  if (worlds.size() < 2) {
    members_.emplace_back(world_ranks.numbers().begin(), world_ranks.numbers().end());
    return;
  }
  members_.resize(worlds.size());
  for (const MpiWorld& world : worlds) comms_.push_back(world.comm);
  for (const std::uint32_t rank : world_ranks.numbers()) {
    const auto after = std::upper_bound(worlds.begin(), worlds.end(), rank,
                                        [](std::uint32_t of, const MpiWorld& world) { return of < world.first; });
    const auto before = static_cast<std::size_t>(after - worlds.begin());
    const bool is_in_one = before > 0 && worlds[before - 1].contains(rank);
    const WorldIndex number(is_in_one ? before - 1 : worlds.size());
    members_.resize(std::max<std::size_t>(members_.size(), number.value + 1u));
    members_[number].push_back(rank);
    world_of_.push_back(number);
  }
}

}  // namespace tarry

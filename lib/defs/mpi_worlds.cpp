// mpi_worlds.cpp -- the sets of processes of a run that share an MPI_COMM_WORLD.
#include "defs/mpi_worlds.hpp"

#include <algorithm>

#include "defs/comm_uid.hpp"

namespace tarry {
namespace {

constexpr std::uint32_t kMissingRank = 0xffffffffu;

std::string ranks_text(const MpiWorld& world) {
  const std::string first = std::to_string(world.first);
  return world.size == 1 ? "rank " + first : "ranks " + first + "-" + std::to_string(world.first + world.size - 1);
}

}  // namespace

std::vector<MpiWorld> mpi_worlds(const Definitions& definitions) {
  std::vector<MpiWorld> worlds;
  for (std::uint32_t id = 0; id < definitions.comms.size(); ++id) {
    const Communicator& comm = definitions.comms[id];
    if (!comm_uid::is_world(comm.uid) || comm.is_inter || comm.group.value >= definitions.groups.size()) continue;
    const std::vector<std::uint32_t>& members = definitions.groups[comm.group.value].members;
    if (members.empty()) continue;
    worlds.push_back({CommId(id), static_cast<std::uint32_t>(comm.uid >> 32),
                      static_cast<std::uint32_t>(members.size()),
                      static_cast<std::uint32_t>(std::count(members.begin(), members.end(), kMissingRank))});
  }
  std::stable_sort(worlds.begin(), worlds.end(),
                   [](const MpiWorld& a, const MpiWorld& b) { return a.first < b.first; });
  // Damaged definitions may say anything: the first one of several with the same processes counts.
  std::vector<MpiWorld> apart;
  for (const MpiWorld& world : worlds)
    if (apart.empty() || !apart.back().contains(world.first)) apart.push_back(world);
  return apart;
}

std::string describe(const std::vector<MpiWorld>& worlds) {
  constexpr std::size_t kMostWorlds = 10;
  if (worlds.size() < 2) return "";
  std::string text = std::to_string(worlds.size()) + ": ";
  for (std::size_t i = 0; i < std::min(worlds.size(), kMostWorlds); ++i)
    text += (i ? "; " : "") + ranks_text(worlds[i]);
  return worlds.size() > kMostWorlds ? text + "; ..." : text;
}

}  // namespace tarry

// topologies_of.cpp -- the grids of a run as a report shows them.
#include "report/tree/topologies_of.hpp"

#include <algorithm>
#include <unordered_map>

#include "defs/cart_grid.hpp"

namespace tarry {
namespace {

using LocationOfRank = std::unordered_map<std::uint32_t, std::uint32_t>;  // master thread by world rank

LocationOfRank masters_of(const Definitions& all) {
  LocationOfRank masters;
  for (std::size_t i = 0; i < all.locations.size(); ++i)
    if (const Location& location = all.locations[i]; location.thread == 0)
      masters.emplace(all.processes[location.process.value].rank, static_cast<std::uint32_t>(i));
  return masters;
}

std::string name_of_topology(const Definitions& all, const CartTopology& cart) {
  if (const std::string_view name = all.text(name_of_grid(all, cart)); !name.empty()) return std::string(name);
  return "Grid of communicator " + std::to_string(cart.comm.value);
}

// World ranks of those that may be in a grid, by their rank in it.
std::vector<std::uint32_t> members_of(const Definitions& all, const CartTopology& cart) {
  if (cart.comm.is_valid()) {
    const GroupId group = all.comms[cart.comm.value].group;
    return group.is_valid() ? all.groups[group.value].members : std::vector<std::uint32_t>();
  }
  std::vector<std::uint32_t> everybody;
  for (const Process& process : all.processes)
    everybody.resize(std::max<std::size_t>(everybody.size(), process.rank + 1u));
  for (std::uint32_t rank = 0; rank < everybody.size(); ++rank) everybody[rank] = rank;
  return everybody;
}

ReportTopology topology_of(const Definitions& all, const CartTopology& cart, const LocationOfRank& masters) {
  ReportTopology topology;
  topology.name = name_of_topology(all, cart);
  for (const CartTopology::Dimension& dimension : cart.dimensions)
    topology.dimensions.push_back({std::string(all.text(dimension.name)), dimension.size, dimension.is_periodic});
  const CartGrid grid(cart);
  const std::vector<std::uint32_t> members = members_of(all, cart);
  for (std::uint32_t rank = 0; rank < members.size(); ++rank) {
    const auto master = masters.find(members[rank]);
    const auto at = grid.coordinates_of(rank);
    if (master != masters.end() && at) topology.coordinates[master->second].assign(at->begin(), at->end());
  }
  return topology;
}

bool is_equal(const ReportTopology& a, const ReportTopology& b) {
  const auto is_same = [](const ReportTopology::Dimension& left, const ReportTopology::Dimension& right) {
    return left.name == right.name && left.size == right.size && left.is_periodic == right.is_periodic;
  };
  return std::equal(a.dimensions.begin(), a.dimensions.end(), b.dimensions.begin(), b.dimensions.end(), is_same) &&
         a.coordinates == b.coordinates;
}

}  // namespace

std::vector<ReportTopology> topologies_of(const Definitions& definitions) {
  std::vector<ReportTopology> topologies;
  if (definitions.carts.empty()) return topologies;
  const LocationOfRank masters = masters_of(definitions);
  for (const CartTopology& cart : definitions.carts) {
    ReportTopology topology = topology_of(definitions, cart, masters);
    if (topology.dimensions.empty() || topology.coordinates.empty()) continue;
    const bool is_known = std::any_of(topologies.begin(), topologies.end(),
                                      [&](const ReportTopology& known) { return is_equal(known, topology); });
    if (!is_known) topologies.push_back(std::move(topology));
  }
  return topologies;
}

}  // namespace tarry

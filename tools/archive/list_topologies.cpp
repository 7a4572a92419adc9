// list_topologies.cpp -- the grids and graphs that processes form, for tarry archive info.
#include "list_topologies.hpp"

#include <cinttypes>
#include <cstdio>
#include <map>

#include "defs/cart_grid.hpp"

namespace tarry {
namespace {

constexpr std::size_t kMostLines = 10;

// With the name that the program has given it.
std::string comm_text(const Definitions& all, CommId comm) {
  if (!comm.is_valid()) return "";
  const std::string_view name = all.text(all.comms[comm.value].name);
  return " of communicator " + std::to_string(comm.value) + (name.empty() ? "" : " '" + std::string(name) + "'");
}

std::string shape_of(const Definitions& all, const CartTopology& cart) {
  std::string text;
  for (const CartTopology::Dimension& dimension : cart.dimensions) {
    text += (text.empty() ? "" : " x ") + std::to_string(dimension.size);
    if (const std::string_view name = all.text(dimension.name); !name.empty()) text += " " + std::string(name);
    if (dimension.is_periodic) text += " (round)";
  }
  return text.empty() ? "single place" : text;
}

std::uint32_t size_of(const Definitions& all, CommId comm) {
  const GroupId group = comm.is_valid() ? all.comms[comm.value].group : GroupId();
  return group.is_valid() ? static_cast<std::uint32_t>(all.groups[group.value].members.size()) : 0;
}

struct Graph {
  std::size_t members = 0, edges = 0;
};

std::map<std::uint32_t, Graph> graphs_of(const Definitions& all) {
  std::map<std::uint32_t, Graph> graphs;
  for (const Neighborhood& each : all.neighborhoods) {
    Graph& graph = graphs[each.comm.value];
    ++graph.members;
    graph.edges += each.destinations.size();
  }
  return graphs;
}

void print_numbers(const char* title, const std::vector<std::uint32_t>& numbers) {
  std::printf("%s", title);
  for (const std::uint32_t number : numbers)
    number == CartGrid::kNobody ? std::printf(" -") : std::printf(" %" PRIu32, number);
}

}  // namespace

std::vector<std::string> list_topologies(const Definitions& all) {
  std::vector<std::string> lines;
  for (const CartTopology& cart : all.carts) lines.push_back(shape_of(all, cart) + " grid" + comm_text(all, cart.comm));
  for (const auto& [comm, graph] : graphs_of(all))
    lines.push_back("graph" + comm_text(all, CommId(comm)) + ", " + std::to_string(graph.members) + " ranks, " +
                    std::to_string(graph.edges) + " edges");
  if (lines.size() <= kMostLines) return lines;
  const std::string others = "and " + std::to_string(lines.size() - kMostLines) + " others";
  lines.resize(kMostLines);
  lines.push_back(others);
  return lines;
}

void print_places(const Definitions& all) {
  for (const CartTopology& cart : all.carts) {
    const CartGrid grid(cart);
    const std::uint32_t count = cart.comm.is_valid() ? size_of(all, cart.comm) : cart.places.size();
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t rank = cart.comm.is_valid() ? i : cart.places[i].rank;
      const auto at = grid.coordinates_of(rank);
      if (!at) continue;
      std::printf("place          ");
      cart.comm.is_valid() ? std::printf("%" PRIu32, cart.comm.value) : std::printf("%s", "-");
      std::printf(" %" PRIu32, rank);
      print_numbers(" at", *at);
      std::printf("\n");
    }
  }
  for (const Neighborhood& each : all.neighborhoods) {
    std::printf("place          %" PRIu32 " %" PRIu32, each.comm.value, each.rank);
    print_numbers(" from", each.sources);
    print_numbers(" to", each.destinations);
    std::printf("\n");
  }
}

}  // namespace tarry

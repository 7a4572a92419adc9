// clocks.cpp -- which locations of a trace share a clock, and which analysis process computes which clocks.
#include "sync/clocks.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace tarry {
namespace {

// Of each unit of the system the node it lies in: boards and sockets below a node share its clock. Itself if there is
// none.
std::vector<std::uint32_t> nodes_of(const Definitions& definitions) {
  std::vector<std::uint32_t> nodes;
  std::vector<bool> is_in_node;
  for (std::uint32_t id = 0; id < definitions.system_nodes.size(); ++id) {
    const SystemNode& unit = definitions.system_nodes[id];
    const bool is_node = definitions.text(unit.class_name) == "node";
    const bool has_node = !is_node && unit.parent.value < id && is_in_node[unit.parent.value];
    nodes.push_back(has_node ? nodes[unit.parent.value] : id);
    is_in_node.push_back(is_node || has_node);
  }
  return nodes;
}

std::vector<double> weights_of(const Definitions& definitions, const Clocks& clocks) {
  std::vector<double> weights(clocks.count, 1);
  for (std::size_t l = 0; l < clocks.of_location.size(); ++l)
    weights[clocks.of(LocationId(l)).value] += static_cast<double>(definitions.locations[l].event_count);
  return weights;
}

}  // namespace

Clocks clocks_of(const Definitions& definitions, ClockLevel level) {
  // Nodes of equal name can be different machines: then their measured offsets differ.
  std::vector<ClockOffset> first_offset(definitions.processes.size());
  for (auto offset = definitions.clock_offsets.rbegin(); offset != definitions.clock_offsets.rend(); ++offset)
    if (offset->process.value < first_offset.size()) first_offset[offset->process.value] = *offset;
  using Key = std::tuple<std::uint32_t, Ticks, Ticks>;
  std::map<Key, std::uint32_t> known;
  const std::vector<std::uint32_t> nodes = nodes_of(definitions);
  Clocks clocks;
  for (std::uint32_t l = 0; l < definitions.locations.size(); ++l) {
    const std::uint32_t process = definitions.locations[l].process.value;
    Key key{level == ClockLevel::kThread ? l : process, 0, 0};
    if (level == ClockLevel::kNode) {
      const std::uint32_t unit = definitions.processes[process].node.value;
      key = {unit < nodes.size() ? nodes[unit] : unit, first_offset[process].at, first_offset[process].offset};
    }
    const auto [entry, is_new] = known.emplace(key, clocks.count);
    clocks.count += is_new;
    clocks.of_location.push_back(ClockId(entry->second));
  }
  return clocks;
}

ClockBlocks::ClockBlocks(const Definitions& definitions, const Clocks& clocks, int processes)
    : ClockBlocks(weights_of(definitions, clocks), processes) {}

// A clock goes to the process in whose share of the work its middle lies.
ClockBlocks::ClockBlocks(std::span<const double> weights, int processes)
    : blocks_(static_cast<std::size_t>(processes)) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  double before = 0;
  for (const double weight : weights) {
    const int host = std::min(processes - 1, static_cast<int>((before + weight / 2) / total * processes));
    ClockBlock& block = blocks_[static_cast<std::size_t>(host)];
    if (block.count++ == 0) block.first = hosts_.next_id();
    hosts_.push_back(host);
    before += weight;
  }
}

}  // namespace tarry

// clocks.cpp -- which locations of a trace share a clock.
#include "clocks.hpp"

#include <map>
#include <tuple>

namespace tarry {
namespace {

// The node a process runs on: boards and sockets below it share its clock.
std::uint32_t node_of(const Definitions& definitions, const Process& process) {
  for (SystemNodeId id = process.node; id.value < definitions.system_nodes.size();) {
    const SystemNode& node = definitions.system_nodes[id.value];
    if (definitions.text(node.class_name) == "node") return id.value;
    if (node.parent.value >= id.value) break;
    id = node.parent;
  }
  return process.node.value;
}

}  // namespace

Clocks clocks_of(const Definitions& definitions, ClockLevel level) {
  // Nodes of equal name can be different machines: then their measured offsets differ.
  std::vector<ClockOffset> first_offset(definitions.processes.size());
  for (auto offset = definitions.clock_offsets.rbegin(); offset != definitions.clock_offsets.rend(); ++offset)
    if (offset->process.value < first_offset.size()) first_offset[offset->process.value] = *offset;
  using Key = std::tuple<std::uint32_t, Ticks, Ticks>;
  std::map<Key, std::uint32_t> known;
  Clocks clocks;
  for (std::uint32_t l = 0; l < definitions.locations.size(); ++l) {
    const std::uint32_t process = definitions.locations[l].process.value;
    Key key{level == ClockLevel::kThread ? l : process, 0, 0};
    if (level == ClockLevel::kNode)
      key = {node_of(definitions, definitions.processes[process]), first_offset[process].at,
             first_offset[process].offset};
    const auto [entry, is_new] = known.emplace(key, clocks.count);
    clocks.count += is_new;
    clocks.of_location.push_back(entry->second);
  }
  return clocks;
}

}  // namespace tarry

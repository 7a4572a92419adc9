// cubex_layout.cpp -- the order of the parts of a report in its file.
#include "report/cubex/cubex_layout.hpp"

#include <algorithm>
#include <unordered_set>

#include "base/tool/log.hpp"
#include "report/tree/call_path_tree.hpp"

namespace tarry {
namespace {

// Types whose inclusive values other readers do not have.
bool is_exclusive_only(ValueType type) {
  return !is_additive(type) || type == ValueType::kTauAtomic || type == ValueType::kHistogram;
}

Status check_metrics(const std::vector<ReportMetric>& metrics, const std::string& path) {
  std::unordered_set<std::string_view> names;
  for (const ReportMetric& metric : metrics) {
    if (metric.unique_name.empty()) return Error{path, "a metric has no name", ""};
    if (!names.insert(metric.unique_name).second)
      return Error{path, "two metrics are called '" + metric.unique_name + "'", ""};
    if (metric.kind == MetricKind::kInclusive && is_exclusive_only(metric.type))
      return Error{path, "metric '" + metric.unique_name + "' cannot be inclusive", "store it exclusive"};
  }
  return {};
}

Status check_call_paths(const ReportStructure& structure, const std::string& path) {
  if (structure.regions.empty()) return Error{path, "the report has no region", ""};
  if (structure.call_paths.empty()) return Error{path, "the report has no call path", ""};
  for (const ReportCallPath& call_path : structure.call_paths)
    if (call_path.region >= structure.regions.size()) return Error{path, "a call path has no region", ""};
  return {};
}

// Nodes depth first, each with its processes.
Status plan_system(const ReportStructure& structure, CubexLayout& layout, const std::string& path) {
  const std::size_t count = structure.system_nodes.size();
  std::vector<std::vector<std::uint32_t>> children(count + 1);  // the last one: roots
  for (std::uint32_t node = 0; node < count; ++node) {
    const std::uint32_t parent = structure.system_nodes[node].parent;
    children[parent < node ? parent : count].push_back(node);
  }
  std::vector<CubexLayout::SystemNode> open;
  for (auto root = children[count].rbegin(); root != children[count].rend(); ++root) open.push_back({*root, 0});
  while (!open.empty()) {
    const auto next = open.back();
    open.pop_back();
    layout.system_nodes.push_back(next);
    const auto& below = children[next.node];
    for (auto child = below.rbegin(); child != below.rend(); ++child) open.push_back({*child, next.depth + 1});
  }
  layout.node_processes.resize(count);
  for (std::uint32_t process = 0; process < structure.processes.size(); ++process) {
    const std::uint32_t node = structure.processes[process].node;
    if (node >= count) return Error{path, "a process is on no node", ""};
    layout.node_processes[node].push_back(process);
  }
  return {};
}

// Columns follow the system tree in the order it is written.
Status plan_columns(const ReportStructure& structure, CubexLayout& layout, const std::string& path) {
  layout.process_locations.resize(structure.processes.size());
  for (std::uint32_t location = 0; location < structure.locations.size(); ++location) {
    const std::uint32_t process = structure.locations[location].process;
    if (process >= structure.processes.size()) return Error{path, "a location belongs to no process", ""};
    layout.process_locations[process].push_back(location);
  }
  layout.column_of.resize(structure.locations.size());
  for (const auto& [node, depth] : layout.system_nodes)
    for (const std::uint32_t process : layout.node_processes[node]) {
      if (layout.process_locations[process].empty()) return Error{path, "a process has no location", ""};
      for (const std::uint32_t location : layout.process_locations[process]) {
        layout.column_of[location] = static_cast<std::uint32_t>(layout.columns.size());
        layout.columns.push_back(location);
      }
    }
  layout.is_identity = std::is_sorted(layout.columns.begin(), layout.columns.end());
  return {};
}

}  // namespace

Result<CubexLayout> plan_cubex(const ReportStructure& structure, const std::string& path) {
  TARRY_TRY(check_metrics(structure.metrics, path));
  TARRY_TRY(check_call_paths(structure, path));
  CubexLayout layout;
  layout.metrics = list_metrics(structure.metrics);
  if (layout.metrics.empty() || structure.metrics[layout.metrics[0].metric.value].is_ghost)
    return Error{path, "the report has no metric", ""};
  const CallPathTree tree(structure.call_paths);
  layout.call_paths = tree.preorder();
  layout.inclusive_rows = tree.sibling_block_order();
  layout.call_path_depths.resize(structure.call_paths.size());
  for (std::uint32_t at = 0; at < structure.call_paths.size(); ++at) {
    const std::uint32_t parent = structure.call_paths[at].parent.value;
    if (parent < at) layout.call_path_depths[at] = layout.call_path_depths[parent] + 1;
  }
  TARRY_TRY(plan_system(structure, layout, path));
  TARRY_TRY(plan_columns(structure, layout, path));
  if (structure.call_paths.size() * structure.locations.size() >> 32)
    log_warning(path + ": call paths x locations exceed what other readers of this format can count");
  return layout;
}

}  // namespace tarry

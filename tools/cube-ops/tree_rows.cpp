// tree_rows.cpp -- the lines of a call tree, from the program down or from each function up to its callers.
#include "tree_rows.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "report/tree/call_path_tree.hpp"

namespace tarry {
namespace {

std::vector<std::uint32_t> depths_of(const std::vector<ReportCallPath>& paths) {
  std::vector<std::uint32_t> depths(paths.size());
  for (std::size_t path = 0; path < paths.size(); ++path)
    if (paths[path].parent.value < path) depths[path] = depths[paths[path].parent.value] + 1;
  return depths;
}

// Depth first, siblings in the order that is wanted.
std::vector<std::uint32_t> ordered_paths(const CallPathTree& tree, const TreeWishes& wishes) {
  if (!wishes.is_before) return tree.preorder();
  std::vector<std::uint32_t> order, open;
  const auto push = [&](std::span<const std::uint32_t> siblings) {
    std::vector<std::uint32_t> sorted(siblings.begin(), siblings.end());
    std::stable_sort(sorted.begin(), sorted.end(), [&](std::uint32_t left, std::uint32_t right) {
      return wishes.is_before(CallPathId(left), CallPathId(right));
    });
    open.insert(open.end(), sorted.rbegin(), sorted.rend());
  };
  push(tree.roots());
  while (!open.empty()) {
    order.push_back(open.back());
    open.pop_back();
    push(tree.children(order.back()));
  }
  return order;
}

// A call path of the function at the root, and the caller of it that a line is about.
struct Chain {
  CallPathId callee, caller;
};

// A line that is to come, and the chains that it sums up.
struct Pending {
  TreeRow row;
  std::vector<Chain> chains;
};

class BottomUp {
 public:
  BottomUp(const ReportStructure& report, const MetricTotals& totals, const TreeWishes& wishes)
      : report_(report), totals_(totals), wishes_(wishes), levels_(std::min(wishes.depth, kMostCallers)) {}

  std::vector<TreeRow> rows() {
    std::vector<Chain> all;
    for (std::uint32_t path = 0; path < report_.call_paths.size(); ++path)
      if (totals_.exclusive[path] != 0) all.push_back({CallPathId(path), CallPathId(path)});
    push(all, 0);
    std::vector<TreeRow> rows;
    while (!open_.empty()) {
      Pending next = std::move(open_.back());
      open_.pop_back();
      rows.push_back(next.row);
      if (next.row.depth + 1 < levels_) push(callers_of(next.chains), next.row.depth + 1);
    }
    return rows;
  }

 private:
  std::vector<Chain> callers_of(const std::vector<Chain>& chains) const {
    std::vector<Chain> callers;
    for (const Chain& chain : chains) {
      const CallPathId parent = report_.call_paths[chain.caller.value].parent;
      if (parent.value < chain.caller.value) callers.push_back({chain.callee, parent});
    }
    return callers;
  }

  // Lines for the regions of `chains`, so that the first one is taken first.
  void push(const std::vector<Chain>& chains, std::uint32_t depth) {
    std::map<std::uint32_t, Pending> by_region;
    for (const Chain& chain : chains) {
      Pending& line = by_region[report_.call_paths[chain.caller.value].region];
      line.row.value += totals_.exclusive[chain.callee.value];
      line.chains.push_back(chain);
    }
    std::vector<Pending> lines;
    for (auto& [region, line] : by_region) {
      if (std::abs(line.row.value) < wishes_.least) continue;
      line.row.path = line.chains.front().caller;
      line.row.callee = line.chains.front().callee;
      line.row.depth = depth;
      lines.push_back(std::move(line));
    }
    std::stable_sort(lines.begin(), lines.end(), [&](const Pending& left, const Pending& right) {
      if (wishes_.is_before) return wishes_.is_before(left.row.path, right.row.path);
      return std::abs(left.row.value) > std::abs(right.row.value);
    });
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) open_.push_back(std::move(*line));
  }

  const ReportStructure& report_;
  const MetricTotals& totals_;
  const TreeWishes& wishes_;
  const std::uint32_t levels_;
  std::vector<Pending> open_;
};

}  // namespace

std::vector<TreeRow> top_down_rows(const CubeSource& report, const MetricTotals& totals, const TreeWishes& wishes) {
  const auto& paths = report.structure().call_paths;
  const std::vector<std::uint32_t> depths = depths_of(paths);
  std::vector<bool> is_shown(paths.size());
  const auto value_of = [&](std::uint32_t path) {
    const bool has_all = wishes.is_inclusive || depths[path] + 1 == wishes.depth;
    return has_all ? totals.inclusive[path] : totals.exclusive[path];
  };
  for (auto path = static_cast<std::uint32_t>(paths.size()); path-- > 0;) {
    if (depths[path] >= wishes.depth) continue;
    if (wishes.least <= 0 || std::abs(value_of(path)) >= wishes.least) is_shown[path] = true;
    const std::uint32_t parent = paths[path].parent.value;
    if (is_shown[path] && parent < path) is_shown[parent] = true;
  }
  std::vector<TreeRow> rows;
  for (const std::uint32_t path : ordered_paths(report.call_tree(), wishes))
    if (is_shown[path]) rows.push_back({CallPathId(path), CallPathId(path), depths[path], value_of(path)});
  return rows;
}

std::vector<TreeRow> bottom_up_rows(const CubeSource& report, const MetricTotals& totals, const TreeWishes& wishes) {
  return BottomUp(report.structure(), totals, wishes).rows();
}

}  // namespace tarry

// folded_stacks.cpp -- a call tree as collapsed stacks, the input of flame graphs.
#include "folded_stacks.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <vector>

#include "base/text/printable.hpp"
#include "report/tree/call_path_tree.hpp"
#include "report/algebra/shown_regions.hpp"

namespace tarry {
namespace {

constexpr double kMostWeight = 9e18;  // fits into 64 bits

// [call path]: the call path whose stack its own value goes to.
std::vector<std::uint32_t> stacks_of(const ReportStructure& report, const MetricTotals& totals,
                                     const FoldedWishes& wishes) {
  const std::uint32_t levels = std::min(wishes.depth, kMostFrames);
  std::vector<std::uint32_t> stacks(report.call_paths.size()), depths(report.call_paths.size());
  for (std::uint32_t path = 0; path < stacks.size(); ++path) {
    const std::uint32_t parent = report.call_paths[path].parent.value;
    const bool is_root = parent >= path;
    depths[path] = is_root ? 0 : depths[parent] + 1;
    const bool is_hidden = depths[path] >= levels || std::abs(totals.inclusive[path]) < wishes.least;
    const bool is_below_hidden = !is_root && stacks[parent] != parent;
    stacks[path] = !is_root && (is_hidden || is_below_hidden) ? stacks[parent] : path;
  }
  return stacks;
}

std::string stack_text(const ReportStructure& report, const ShownRegions& names, std::uint32_t path) {
  std::vector<std::uint32_t> chain{path};
  while (report.call_paths[chain.back()].parent.value < chain.back())
    chain.push_back(report.call_paths[chain.back()].parent.value);
  std::string text;
  for (auto link = chain.rbegin(); link != chain.rend(); ++link)
    text += (text.empty() ? "" : ";") + stack_name(names.name_of(report.call_paths[*link].region));
  return text;
}

}  // namespace

std::string stack_name(std::string_view name) {
  std::string text;
  for (const char c : printable(name)) {
    if (c == ';') text += "\\x3b";
    else text.push_back(c);
  }
  const std::size_t blank = text.rfind(' ');
  if (blank != text.npos && text.find_first_not_of("0123456789.", blank + 1) == text.npos) text[blank] = '_';
  return text.empty() ? "(no name)" : text;
}

std::string_view weight_unit(const ReportMetric& metric) {
  if (metric.unit == "sec") return "nanoseconds";
  return metric.unit.empty() ? "units" : std::string_view(metric.unit);
}

FoldedStacks folded_stacks(const CubeSource& report, MetricId metric, const MetricTotals& totals,
                           const FoldedWishes& wishes) {
  const ReportStructure& structure = report.structure();
  const double scale = structure.metrics[metric.value].unit == "sec" ? 1e9 : 1;
  const std::vector<std::uint32_t> stacks = stacks_of(structure, totals, wishes);
  std::vector<double> weights(stacks.size());
  for (std::size_t path = 0; path < stacks.size(); ++path) weights[stacks[path]] += totals.exclusive[path] * scale;
  std::vector<CallPathId> shown;
  FoldedStacks result;
  for (std::uint32_t path = 0; path < weights.size(); ++path) {
    if (weights[path] >= 0.5) shown.emplace_back(path);
    result.left_out += weights[path] <= -0.5;
  }
  const ShownRegions names(structure, shown, wishes.has_full_names);
  std::unordered_map<std::string, double> sums;
  std::vector<const std::string*> order;
  for (const CallPathId path : shown) {
    const auto [known, is_new] = sums.try_emplace(stack_text(structure, names, path.value), 0);
    if (is_new) order.push_back(&known->first);
    known->second += weights[path.value];
  }
  for (const std::string* stack : order)
    result.text += *stack + " " + std::to_string(std::llround(std::min(sums[*stack], kMostWeight))) + "\n";
  return result;
}

}  // namespace tarry

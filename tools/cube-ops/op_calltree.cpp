// op_calltree.cpp -- tarry cube calltree: the call tree with the values of one metric.
#include <cmath>
#include <cstdio>

#include "base/format.hpp"
#include "ops.hpp"
#include "report/call_path_tree.hpp"
#include "report/metric_totals.hpp"
#include "report/metric_tree.hpp"
#include "report_input.hpp"

namespace tarry {
namespace {

constexpr std::size_t kBufferSize = 1 << 18;

Result<MetricId> choose_metric(const Report& report, const std::string& name) {
  MetricId metric = report.find_metric(name.empty() ? "time" : name);
  if (!metric.is_valid() && name.empty()) metric = MetricId(0);
  if (!metric.is_valid() || metric.value >= report.structure.metrics.size())
    return Error{"metric '" + name + "'", "is not in this report", "tarry cube info lists its metrics"};
  const ReportMetric& facts = report.structure.metrics[metric.value];
  if (is_derived(facts.kind))
    return Error{"metric '" + facts.unique_name + "'", "is derived from others and has no values of its own", ""};
  return metric;
}

// Paths that reach the threshold, and all above them.
std::vector<bool> paths_shown(const ReportStructure& structure, const std::vector<double>& values, double threshold) {
  std::vector<bool> shown(values.size());
  for (std::size_t path = values.size(); path-- > 0;) {
    if (threshold <= 0 || std::abs(values[path]) >= threshold) shown[path] = true;
    const std::uint32_t parent = structure.call_paths[path].parent.value;
    if (shown[path] && parent < path) shown[parent] = true;
  }
  return shown;
}

std::string heading(const Report& report, const ReportMetric& metric, bool is_inclusive) {
  return metric.display_name + (metric.unit.empty() ? "" : " (" + metric.unit + ")") +
         (is_inclusive ? ", inclusive" : ", exclusive") + ", over " +
         format_count(report.structure.locations.size(), "thread") + "\n        value       %  call path\n";
}

}  // namespace

Status show_call_tree(const Report& report, const std::string& name, bool is_inclusive, double threshold) {
  TARRY_TRY_ASSIGN(metric, choose_metric(report, name));
  const ReportStructure& structure = report.structure;
  const ReportMetric& facts = structure.metrics[metric.value];
  const MetricTotals totals = total_of(report, metric);
  const auto& values = is_inclusive ? totals.inclusive : totals.exclusive;
  const bool has_percent = is_additive(facts.type) && totals.whole != 0;
  const auto shown = paths_shown(structure, values, has_percent ? threshold * std::abs(totals.whole) : 0);
  std::vector<std::size_t> depths(values.size());
  std::string text = heading(report, facts, is_inclusive);
  for (const std::uint32_t path : report.call_tree().preorder()) {
    const std::uint32_t parent = structure.call_paths[path].parent.value;
    if (parent < path) depths[path] = depths[parent] + 1;
    if (!shown[path]) continue;
    char percent[32] = "-";
    if (has_percent) std::snprintf(percent, sizeof percent, "%.2f", 100 * values[path] / totals.whole);
    text += pad_left(number_for_people(facts.type, values[path]), 13) + pad_left(percent, 8) + "  ";
    text += std::string(2 * depths[path], ' ') + structure.regions[structure.call_paths[path].region].name + "\n";
    if (text.size() < kBufferSize) continue;
    TARRY_TRY(print(text));
    text.clear();
  }
  return print(text);
}

}  // namespace tarry

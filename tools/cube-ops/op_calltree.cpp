// op_calltree.cpp -- tarry cube calltree: the call tree with the values of one metric.
#include <cmath>
#include <cstdio>

#include "base/format.hpp"
#include "base/printable.hpp"
#include "ops.hpp"
#include "report/call_path_tree.hpp"
#include "report/cube_values.hpp"
#include "report_input.hpp"

namespace tarry {
namespace {

constexpr std::size_t kBufferSize = 1 << 18;
constexpr std::size_t kDeepestIndent = 100;  // levels; of what lies deeper, a number says how deep

std::string indent(std::size_t depth) {
  if (depth <= kDeepestIndent) return std::string(2 * depth, ' ');
  return std::string(2 * kDeepestIndent, ' ') + "[" + std::to_string(depth) + "] ";
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

std::string heading(const ReportStructure& report, const ReportMetric& metric, bool is_inclusive) {
  std::string text;
  add_line(text, metric.display_name + (metric.unit.empty() ? "" : " (" + metric.unit + ")") +
                     (is_inclusive ? ", inclusive" : ", exclusive") + ", over " +
                     format_count(report.locations.size(), "thread"));
  add_line(text, "        value       %  call path");
  return text;
}

}  // namespace

static Result<int> run_calltree(const CubeOptions& options) {
  TARRY_TRY_ASSIGN(report, open_report(options.inputs[0]));
  const ReportStructure& structure = report->structure();
  TARRY_TRY_ASSIGN(metric, choose_metric(structure, options.metrics));
  const ReportMetric& facts = structure.metrics[metric.value];
  CubeValues all(*report);
  const MetricTotals& totals = all.totals(metric);
  const bool is_inclusive = options.is_inclusive;
  const auto& values = is_inclusive ? totals.inclusive : totals.exclusive;
  const bool has_percent = is_additive(facts.type) && facts.kind != MetricKind::kPostDerived && totals.whole != 0;
  const auto shown = paths_shown(structure, values, has_percent ? options.threshold * std::abs(totals.whole) : 0);
  std::vector<std::size_t> depths(values.size());
  std::string text = heading(structure, facts, is_inclusive);
  for (const std::uint32_t path : report->call_tree().preorder()) {
    const std::uint32_t parent = structure.call_paths[path].parent.value;
    if (parent < path) depths[path] = depths[parent] + 1;
    if (!shown[path]) continue;
    char percent[32] = "-";
    if (has_percent) std::snprintf(percent, sizeof percent, "%.2f", 100 * values[path] / totals.whole);
    add_line(text, pad_left(number_for_people(facts.type, values[path]), 13) + pad_left(percent, 8) + "  " +
                       indent(depths[path]) + structure.regions[structure.call_paths[path].region].name);
    if (text.size() < kBufferSize) continue;
    TARRY_TRY(print(text));
    text.clear();
  }
  TARRY_TRY(print(text));
  return conclude(all.damage(), options.is_strict);
}

static void add_options(CliOptions& line, CliOption, CubeOptions& options) {
  line.option("-m,--metric", options.metrics, "the metric (default: time)");
  line.flag("-i,--inclusive", options.is_inclusive, "values include the calls below");
  line.share("-t,--threshold", options.threshold, "hide what is below this percentage of the total", 1);
}

Operation calltree_operation() {
  return {
      .name = "calltree",
      .purpose = "the call tree with one metric",
      .examples = R"(  tarry cube calltree run/summary.cubex
  tarry cube calltree -m mpi_latesender run/analysis.cubex
  tarry cube calltree -m time -i -t 1% run/analysis.cubex
)",
      .see_also = "tarry cube info, tarry report",
      .add_options = add_options,
      .run = run_calltree,
  };
}

}  // namespace tarry

// op_info.cpp -- tarry cube info: what is in a report.
#include <algorithm>
#include <utility>

#include "base/text/format.hpp"
#include "base/text/printable.hpp"
#include "ops.hpp"
#include "report/algebra/cube_values.hpp"
#include "report/tree/metric_tree.hpp"
#include "report_input.hpp"

namespace tarry {
namespace {

std::string fact(std::string name, const std::string& value) {
  std::string text;
  add_line(text, pad_right(std::move(name), 14) + value);
  return text;
}

std::string count_text(std::size_t count) { return std::to_string(count); }

// "1 machine, 4 node": how many of each class.
std::string system_text(const ReportStructure& structure) {
  std::vector<std::pair<std::string, std::size_t>> classes;
  for (const ReportSystemNode& node : structure.system_nodes) {
    const auto known =
        std::find_if(classes.begin(), classes.end(), [&](const auto& entry) { return entry.first == node.class_name; });
    if (known == classes.end()) classes.emplace_back(node.class_name, 1);
    else ++known->second;
  }
  std::string text;
  for (const auto& [name, count] : classes) text += (text.empty() ? "" : ", ") + count_text(count) + " " + name;
  return text;
}

std::string topology_text(const ReportTopology& topology) {
  std::string text = "'" + topology.name + "'";
  for (std::size_t i = 0; i < topology.dimensions.size(); ++i)
    text += (i ? " x " : " ") + std::to_string(topology.dimensions[i].size);
  return text;
}

std::size_t depth_of(const std::vector<ReportCallPath>& paths) {
  std::vector<std::size_t> depths(paths.size(), 1);
  for (std::size_t at = 0; at < paths.size(); ++at)
    if (paths[at].parent.value < at) depths[at] = depths[paths[at].parent.value] + 1;
  return depths.empty() ? 0 : *std::max_element(depths.begin(), depths.end());
}

std::string facts_text(const CubeSource& report, const std::string& name) {
  const ReportStructure& structure = report.structure();
  std::string text = fact("report", name);
  text += fact("system", system_text(structure));
  text += fact("processes", count_text(structure.processes.size()));
  text += fact("threads", count_text(structure.thread_count()));
  if (const std::size_t queues = structure.locations.size() - structure.thread_count(); queues > 0)
    text += fact("queues", count_text(queues) + " of accelerators");
  text += fact("regions", count_text(structure.regions.size()));
  text += fact("call paths",
               count_text(structure.call_paths.size()) + ", depth " + count_text(depth_of(structure.call_paths)));
  for (const ReportTopology& topology : structure.topologies) text += fact("topology", topology_text(topology));
  for (const ReportFile& file : report.files())
    text += fact("extra file", file.name + ", " + count_text(file.bytes.size()) + " bytes");
  for (const auto& [key, value] : structure.attributes) text += fact("attribute", key + " = " + value);
  return text;
}

std::string metric_line(CubeValues& values, const ListedMetric& listed, std::size_t width) {
  const ReportMetric& metric = values.source().structure().metrics[listed.metric.value];
  const std::string total = number_for_people(metric.type, values.totals(listed.metric).whole);
  std::string text;
  add_line(text, pad_right(std::string(2 * listed.depth, ' ') + metric.unique_name, width) + pad_left(total, 15) + " " +
                     pad_right(metric.unit, 6) + " " + metric.display_name +
                     (is_derived(metric.kind) ? " (derived)" : "") + (metric.is_ghost ? " (ghost)" : ""));
  return text;
}

}  // namespace

static Result<int> run_info(const CubeOptions& options) {
  TARRY_TRY_ASSIGN(report, open_report(options.inputs[0]));
  const ReportStructure& structure = report->structure();
  CubeValues values(*report);
  std::string text = facts_text(*report, options.inputs[0]);
  const auto listed = list_metrics(structure.metrics);
  std::size_t width = 6;
  for (const ListedMetric& metric : listed)
    width = std::max(width, 2 * metric.depth + structure.metrics[metric.metric.value].unique_name.size());
  text += "\n" + pad_right("metric", width) + pad_left("total", 15) + " unit   name\n";
  for (const ListedMetric& metric : listed)
    if (!values.is_void(metric.metric)) text += metric_line(values, metric, width);
  TARRY_TRY(print(text));
  return conclude(values.damage(), options.is_strict);
}

Operation info_operation() {
  return {
      .name = "info",
      .purpose = "what is in a report: sizes, attributes, metrics with totals",
      .examples = R"(  tarry cube info run/analysis.cubex
  tarry cube info -v damaged.cubex
  ssh cluster cat run/summary.cubex | tarry cube info -
)",
      .see_also = "tarry cube calltree, tarry cube dump, tarry report",
      .run = run_info,
  };
}

}  // namespace tarry

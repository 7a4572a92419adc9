// path_finding.cpp -- what the critical path of a run is made of, and what others wait for it.
#include "findings/causes/path_finding.hpp"

#include <algorithm>
#include <functional>

#include "findings/imbalance/process_values.hpp"
#include "report/algebra/metric_totals.hpp"

namespace tarry {
namespace {

MetricTotals totals_of(const Report& report, const char* metric) {
  const MetricId id = report.find_metric(metric);
  return id.is_valid() ? total_of(report, id) : MetricTotals();
}

Seconds at(const MetricTotals& totals, std::size_t path) {
  return path < totals.exclusive.size() ? totals.exclusive[path] : 0;
}

// Which threads of the only process the path is on there.
void add_path_threads(const Report& report, MetricId metric, PathPart& part) {
  std::vector<double> row;
  if (report.structure.processes.size() != 1 || !report.exclusive_row(metric, part.call_path, row)) return;
  part.threads = static_cast<std::size_t>(std::ranges::count_if(row, [](double seconds) { return seconds > 0; }));
  const auto worst = std::ranges::max_element(row) - row.begin();
  part.worst_thread = ReportThread(report.structure.locations[static_cast<std::size_t>(worst)].rank);
}

// If it is on the queue of an accelerator longest.
void add_path_queue(const Report& report, MetricId metric, PathPart& part) {
  const ReportStructure& structure = report.structure;
  std::vector<double> row;
  if (!report.exclusive_row(metric, part.call_path, row)) return;
  const auto worst = static_cast<std::size_t>(std::ranges::max_element(row) - row.begin());
  const ReportLocation& location = structure.locations[worst];
  if (location.is_thread()) return;
  part.worst_queue = location.queue_name();
  if (structure.processes.size() > 1)
    part.worst_queue += " of rank " + std::to_string(structure.processes[location.process].rank);
}

// Which processes the path is on there.
void add_path_processes(const Report& report, MetricId metric, PathPart& part) {
  const ReportStructure& structure = report.structure;
  ProcessValues sums(structure.processes.size());
  if (!add_row(report, metric, part.call_path, sums)) return;
  part.processes = static_cast<std::size_t>(std::ranges::count_if(sums, [](double sum) { return sum > 0; }));
  const auto worst = std::ranges::max_element(sums) - sums.begin();
  part.worst = ReportRank(structure.processes[static_cast<std::size_t>(worst)].rank);
}

}  // namespace

std::optional<CriticalPathFinding> find_critical_path(const Report& report, std::size_t most) {
  const MetricId metric = report.find_metric("critical_path");
  if (!metric.is_valid() || report.structure.locations.size() < 2) return std::nullopt;
  const MetricTotals path = total_of(report, metric), imbalance = totals_of(report, "critical_path_imbalance"),
                     intra = totals_of(report, "intra_partition_imbalance"),
                     inter = totals_of(report, "inter_partition_imbalance");
  if (path.whole <= 0) return std::nullopt;
  CriticalPathFinding found{path.whole, imbalance.whole, intra.whole, inter.whole, {}, {}};
  for (std::size_t c = 0; c < path.exclusive.size(); ++c)
    if (path.exclusive[c] > 0)
      found.parts.push_back({.call_path = CallPathId(c),
                             .seconds = path.exclusive[c],
                             .imbalance = at(imbalance, c),
                             .inter = at(inter, c)});
  std::ranges::stable_sort(found.parts, std::greater(), &PathPart::seconds);
  const auto lacked = std::ranges::max_element(found.parts, {}, &PathPart::inter);
  if (lacked != found.parts.end() && lacked->inter > 0) found.lacked = *lacked;
  if (found.parts.size() > most) found.parts.resize(most);
  for (PathPart& part : found.parts) {
    add_path_processes(report, metric, part);
    add_path_threads(report, metric, part);
    add_path_queue(report, metric, part);
  }
  if (found.lacked) add_path_processes(report, metric, *found.lacked);
  return found;
}

}  // namespace tarry

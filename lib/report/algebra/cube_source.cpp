// cube_source.cpp -- a report whose rows are fetched one at a time.
#include "report/algebra/cube_source.hpp"

#include <algorithm>

#include "report/tree/metric_tree.hpp"

namespace tarry {

void ReportCube::read_row(MetricId metric, CallPathId path, std::span<double> row) const {
  const auto stored = report_.find_row(metric, path);
  if (stored.empty()) {
    fill_neutral(report_.structure.metrics[metric.value].format(), row);
  } else {
    std::copy(stored.begin(), stored.end(), row.begin());
  }
}

namespace {

void load_metric(const CubeSource& source, MetricId metric, Report& report) {
  const ValueFormat format = report.structure.metrics[metric.value].format();
  std::vector<double> row;
  for (std::uint32_t path = 0; path < report.structure.call_paths.size(); ++path) {
    if (!source.has_row(metric, CallPathId(path))) continue;
    row.resize(report.structure.locations.size() * format.components());
    source.read_row(metric, CallPathId(path), row);
    const bool is_zero = std::all_of(row.begin(), row.end(), [](double value) { return value == 0; });
    if (!is_zero || !is_neutral_zero(format.type))
      std::copy(row.begin(), row.end(), report.row(metric, CallPathId(path)).begin());
  }
}

}  // namespace

Report load_report(const CubeSource& source) {
  Report report;
  report.structure = source.structure();
  report.files = source.files();
  const auto& metrics = report.structure.metrics;
  for (std::uint32_t metric = 0; metric < metrics.size(); ++metric)
    if (!is_derived(metrics[metric].kind)) load_metric(source, MetricId(metric), report);
  report.damage = source.damage();
  return report;
}

}  // namespace tarry

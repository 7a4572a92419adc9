// metric_totals.cpp -- one metric summed up over all locations.
#include "report/algebra/metric_totals.hpp"

#include "report/tree/call_path_tree.hpp"
#include "report/algebra/flavour.hpp"
#include "report/tree/metric_tree.hpp"

namespace tarry {
namespace {

// All locations of a stored row as one value.
std::vector<double> over_locations(ValueFormat format, std::span<const double> row) {
  const std::size_t width = format.components();
  std::vector<double> sum(width);
  fill_neutral(format, sum);
  for (std::size_t at = 0; at < row.size(); at += width) combine_values(format, sum, row.subspan(at, width));
  return sum;
}

// Stored inclusive: the exclusive side is formed location by location, so that rounding does not add up.
void total_inclusive(const CubeSource& report, MetricId metric, MetricTotals& totals) {
  const ValueFormat format = report.structure().metrics[metric.value].format();
  FlavourReader reader(report);
  std::vector<double> row(report.structure().locations.size() * format.components()), own;
  for (std::uint32_t path = 0; path < totals.inclusive.size(); ++path) {
    if (!reader.has_exclusive(metric, CallPathId(path))) continue;
    reader.read_inclusive(metric, CallPathId(path), row);
    totals.inclusive[path] = number_of(format, over_locations(format, row));
    reader.read_exclusive(metric, CallPathId(path), row);
    numbers_of_row(format, row, own);
    for (const double value : own) totals.exclusive[path] += value;
  }
}

void total_exclusive(const CubeSource& report, MetricId metric, MetricTotals& totals) {
  const ValueFormat format = report.structure().metrics[metric.value].format();
  const auto& paths = report.structure().call_paths;
  std::vector<std::vector<double>> sums(paths.size());
  std::vector<double> row;
  for (std::uint32_t path = 0; path < paths.size(); ++path) {
    if (report.has_row(metric, CallPathId(path))) {
      row.resize(report.structure().locations.size() * format.components());
      report.read_row(metric, CallPathId(path), row);
      sums[path] = over_locations(format, row);
    } else {
      sums[path] = over_locations(format, {});
    }
    totals.exclusive[path] = number_of(format, sums[path]);
  }
  for (std::size_t path = paths.size(); path-- > 0;) {
    totals.inclusive[path] = number_of(format, sums[path]);
    if (paths[path].parent.value < path) combine_values(format, sums[paths[path].parent.value], sums[path]);
  }
}

}  // namespace

MetricTotals total_of(const CubeSource& report, MetricId metric) {
  const ReportMetric& facts = report.structure().metrics[metric.value];
  MetricTotals totals;
  totals.exclusive.resize(report.structure().call_paths.size());
  totals.inclusive.resize(report.structure().call_paths.size());
  if (is_derived(facts.kind)) return totals;
  if (facts.kind == MetricKind::kInclusive) {
    total_inclusive(report, metric, totals);
  } else {
    total_exclusive(report, metric, totals);
  }
  std::vector<double> whole(1);
  const ValueFormat plain{is_additive(facts.type) ? ValueType::kDouble : facts.type};
  fill_neutral(plain, whole);
  for (const std::uint32_t root : report.call_tree().roots())
    combine_values(plain, whole, std::span(&totals.inclusive[root], 1));
  totals.whole = whole[0];
  return totals;
}

MetricTotals total_of(const Report& report, MetricId metric) { return total_of(ReportCube(report), metric); }

void add_up(const std::vector<ReportCallPath>& paths, MetricTotals& totals) {
  totals.inclusive = totals.exclusive;
  for (std::size_t path = paths.size(); path-- > 0;)
    if (paths[path].parent.value < path) totals.inclusive[paths[path].parent.value] += totals.inclusive[path];
}

}  // namespace tarry

// report.cpp -- the report: metrics x call paths x locations.
#include "report/tree/report.hpp"

#include "report/tree/call_path_tree.hpp"
#include "report/algebra/flavour.hpp"
#include "report/tree/metric_tree.hpp"

namespace tarry {

MetricId Report::add_metric(ReportMetric metric) {
  structure.metrics.push_back(std::move(metric));
  rows_.resize(structure.metrics.size());
  return MetricId(structure.metrics.size() - 1);
}

Severity& Report::rows_of(MetricId metric) {
  if (rows_.size() <= metric.value) rows_.resize(structure.metrics.size());
  auto& rows = rows_[metric.value];
  if (!rows) rows = std::make_unique<Severity>(structure.metrics[metric.value].format(), structure.locations.size());
  return *rows;
}

std::span<double> Report::row(MetricId metric, CallPathId path) { return rows_of(metric).row(path.value); }

void Report::put_row(MetricId metric, CallPathId path, std::unique_ptr<double[]> row) {
  rows_of(metric).put_row(path.value, std::move(row));
}

std::span<const double> Report::find_row(MetricId metric, CallPathId path) const {
  if (metric.value >= rows_.size() || !rows_[metric.value]) return {};
  return rows_[metric.value]->find_row(path.value);
}

std::size_t Report::row_count(MetricId metric) const {
  return metric.value < rows_.size() && rows_[metric.value] ? rows_[metric.value]->row_count() : 0;
}

MetricId Report::find_metric(std::string_view unique_name) const { return tarry::find_metric(structure, unique_name); }

const CallPathTree& Report::call_tree() const {
  if (!call_tree_ || call_tree_->size() != structure.call_paths.size())
    call_tree_ = std::make_shared<CallPathTree>(structure.call_paths);
  return *call_tree_;
}

double Report::exclusive(MetricId metric, CallPathId path, std::uint32_t location) const {
  const ReportMetric& facts = structure.metrics[metric.value];
  const ValueFormat format = facts.format();
  const std::size_t width = format.components();
  const auto value_of = [&](std::uint32_t at) {
    const auto row = find_row(metric, CallPathId(at));
    return row.empty() ? 0 : number_of(format, row.subspan(location * width, width));
  };
  if (find_row(metric, path).empty() && !is_neutral_zero(format.type)) {
    std::vector<double> neutral(width);
    fill_neutral(format, neutral);
    return number_of(format, neutral);
  }
  if (facts.kind != MetricKind::kInclusive) return value_of(path.value);
  double children = 0;
  for (const std::uint32_t child : call_tree().children(path.value)) children += value_of(child);
  return without_children(value_of(path.value), children);
}

double Report::inclusive(MetricId metric, CallPathId path, std::uint32_t location) const {
  const ReportMetric& facts = structure.metrics[metric.value];
  const ValueFormat format = facts.format();
  const std::size_t width = format.components();
  std::vector<double> sum(width);
  fill_neutral(format, sum);
  std::vector<std::uint32_t> open{path.value};
  while (!open.empty()) {
    const std::uint32_t at = open.back();
    open.pop_back();
    const auto row = find_row(metric, CallPathId(at));
    if (!row.empty()) combine_values(format, sum, row.subspan(location * width, width));
    if (facts.kind == MetricKind::kInclusive) break;
    const auto children = call_tree().children(at);
    open.insert(open.end(), children.begin(), children.end());
  }
  return number_of(format, sum);
}

bool Report::exclusive_row(MetricId metric, CallPathId path, std::vector<double>& values) const {
  const ReportMetric& facts = structure.metrics[metric.value];
  const ValueFormat format = facts.format();
  const std::size_t width = format.components();
  const std::size_t locations = structure.locations.size();
  const auto own = find_row(metric, path);
  std::vector<double> children;
  if (facts.kind == MetricKind::kInclusive)
    for (const std::uint32_t child : call_tree().children(path.value))
      if (const auto row = find_row(metric, CallPathId(child)); !row.empty()) {
        children.resize(locations);
        for (std::size_t i = 0; i < locations; ++i) children[i] += number_of(format, row.subspan(i * width, width));
      }
  if (own.empty() && children.empty()) return false;
  values.assign(locations, 0);
  if (!own.empty())
    for (std::size_t i = 0; i < locations; ++i) values[i] = number_of(format, own.subspan(i * width, width));
  for (std::size_t i = 0; i < children.size(); ++i) values[i] = without_children(values[i], children[i]);
  return true;
}

}  // namespace tarry

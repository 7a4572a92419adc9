// counter_metric.cpp -- counters that were recorded beside events, as metrics of a report.
#include "report/metrics/counter_metric.hpp"

#include <algorithm>

namespace tarry {
namespace {

constexpr char kCounterAttribute[] = "Tarry::Counter";  // who counts

}  // namespace

ReportMetric counter_metric(const Definitions& definitions, const Counter& counter) {
  ReportMetric metric;
  metric.unique_name = metric.display_name = definitions.text(counter.name);
  metric.unit = definitions.text(counter.unit);
  metric.description = definitions.text(counter.description);
  metric.kind = MetricKind::kExclusive;
  const ValueType counted = counter.type == CounterType::kUnsigned ? ValueType::kUint64 : ValueType::kDouble;
  metric.type = is_summed(counter.mode) ? counted : ValueType::kMaxDouble;
  metric.attributes.emplace_back(kCounterAttribute, name_of(counter.source));
  return metric;
}

bool is_counter(const ReportMetric& metric) {
  return std::any_of(metric.attributes.begin(), metric.attributes.end(),
                     [](const auto& attribute) { return attribute.first == kCounterAttribute; });
}

void add_counter_value(const Counter& counter, double value, double& into) {
  into = is_summed(counter.mode) ? into + value : std::max(into, value);
}

}  // namespace tarry

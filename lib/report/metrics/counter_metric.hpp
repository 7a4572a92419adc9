// counter_metric.hpp -- counters that were recorded beside events, as metrics of a report.
#pragma once

#include "defs/definitions.hpp"
#include "report/tree/report.hpp"

namespace tarry {

/// The metric of a counter. Values of a count are sums, exclusive along the call tree. Values of a level, which belongs
/// to the process and not to one of its threads, are the highest that were seen.
ReportMetric counter_metric(const Definitions& definitions, const Counter& counter);

/// True for a metric that counter_metric() has made, in this report or in one that it was made of.
bool is_counter(const ReportMetric& metric);

/// Adds a value to the one that is there already.
void add_counter_value(const Counter& counter, double value, double& into);

}  // namespace tarry

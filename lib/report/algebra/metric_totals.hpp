// metric_totals.hpp -- one metric summed up over all locations.
#pragma once

#include <vector>

#include "report/algebra/cube_source.hpp"

namespace tarry {

/// Values over all locations, per call path and for the whole report. Minimum and maximum metrics are combined by
/// minimum and maximum; without contributions they hold the neutral element (is_neutral_number).
struct MetricTotals {
  std::vector<double> exclusive;  // [call path]
  std::vector<double> inclusive;  // [call path]
  double whole = 0;               // the sum of the roots
};

/// Takes one look at every stored row. Derived metrics have none: all zero (CubeValues computes them).
MetricTotals total_of(const CubeSource& report, MetricId metric);
MetricTotals total_of(const Report& report, MetricId metric);

/// Sets inclusive values to the sums of exclusive ones over the subtrees.
void add_up(const std::vector<ReportCallPath>& paths, MetricTotals& totals);

}  // namespace tarry

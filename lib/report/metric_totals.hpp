// metric_totals.hpp -- one metric summed up over all locations.
#pragma once

#include <vector>

#include "report/report.hpp"

namespace tarry {

/// Values over all locations, per call path and for the whole report. Minimum and maximum metrics are combined by
/// minimum and maximum; where nobody contributed, they hold the neutral element (is_neutral_number).
struct MetricTotals {
  std::vector<double> exclusive;  // [call path]
  std::vector<double> inclusive;  // [call path]
  double whole = 0;               // the sum of the roots
};

/// Takes one look at every row. Derived metrics have no values: all zero.
MetricTotals total_of(const Report& report, MetricId metric);

}  // namespace tarry

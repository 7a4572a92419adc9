// process_values.hpp -- rows of a report, summed up by process, and what two of them have in common.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "report/tree/report.hpp"

namespace tarry {

/// One value for each process of the report.
using ProcessValues = std::vector<double>;

/// Adds an exclusive row of a metric to the values. False if there is none.
bool add_row(const Report& report, MetricId metric, CallPathId path, ProcessValues& into, double factor = 1);

double mean_of(std::span<const double> values);

/// Pearson's, between -1 and 1; 0 where one of them does not vary.
double correlation(std::span<const double> left, std::span<const double> right);

}  // namespace tarry

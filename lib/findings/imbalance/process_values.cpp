// process_values.cpp -- rows of a report, summed up by process.
#include "findings/imbalance/process_values.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tarry {

bool add_row(const Report& report, MetricId metric, CallPathId path, ProcessValues& into, double factor) {
  std::vector<double> row;
  if (!metric.is_valid() || !report.exclusive_row(metric, path, row)) return false;
  for (std::size_t i = 0; i < row.size(); ++i) into[report.structure.locations[i].process] += factor * row[i];
  return true;
}

double mean_of(std::span<const double> values) {
  return values.empty() ? 0 : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double correlation(std::span<const double> left, std::span<const double> right) {
  const double left_mean = mean_of(left), right_mean = mean_of(right);
  double both = 0, left_squares = 0, right_squares = 0;
  for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
    const double x = left[i] - left_mean, y = right[i] - right_mean;
    both += x * y;
    left_squares += x * x;
    right_squares += y * y;
  }
  const double scale = std::sqrt(left_squares) * std::sqrt(right_squares);
  return scale > 0 ? std::clamp(both / scale, -1.0, 1.0) : 0;
}

}  // namespace tarry

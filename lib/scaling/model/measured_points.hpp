// measured_points.hpp -- what was measured of one call path and metric: values at points of the parameters.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tarry {

/// Values of runs with the same parameters.
struct MeasuredPoint {
  std::vector<double> at;      // [parameter], all above 0
  std::vector<double> values;  // one for each run

  double mean() const;
};

/// One row of the table of models.
struct MeasuredSeries {
  std::string call_path, metric;
  std::vector<std::string> parameters;  // that have more than one value
  std::vector<MeasuredPoint> points;    // sorted by `at`, no two alike
};

/// Points of a cross or grid that differ in one parameter only.
struct ParameterLine {
  std::vector<double> at;      // ascending
  std::vector<double> values;  // means; over all lines that are as long
};

/// The longest lines along a parameter, averaged. Empty if there are no points.
ParameterLine longest_line(const std::vector<MeasuredPoint>& points, std::size_t parameter);

/// The largest value of a parameter.
double largest_of(const std::vector<MeasuredPoint>& points, std::size_t parameter);

/// More points of one series than this are not modelled: time grows with their square.
inline constexpr std::size_t kMostPoints = 1000;
inline constexpr std::size_t kMostParameters = 4;

}  // namespace tarry

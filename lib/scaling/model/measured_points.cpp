// measured_points.cpp -- what was measured of one call path and metric.
#include "scaling/model/measured_points.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace tarry {

double MeasuredPoint::mean() const {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

ParameterLine longest_line(const std::vector<MeasuredPoint>& points, std::size_t parameter) {
  std::map<std::vector<double>, std::vector<const MeasuredPoint*>> lines;  // by the other parameters
  for (const MeasuredPoint& point : points) {
    std::vector<double> others = point.at;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(parameter));
    lines[others].push_back(&point);
  }
  std::size_t longest = 0;
  for (const auto& [others, line] : lines) longest = std::max(longest, line.size());
  std::map<double, std::vector<double>> values;
  for (const auto& [others, line] : lines)
    if (line.size() == longest)
      for (const MeasuredPoint* point : line) values[point->at[parameter]].push_back(point->mean());
  ParameterLine averaged;
  for (const auto& [at, means] : values) {
    averaged.at.push_back(at);
    averaged.values.push_back(std::accumulate(means.begin(), means.end(), 0.0) / static_cast<double>(means.size()));
  }
  return averaged;
}

double largest_of(const std::vector<MeasuredPoint>& points, std::size_t parameter) {
  double largest = 0;
  for (const MeasuredPoint& point : points) largest = std::max(largest, point.at[parameter]);
  return largest;
}

}  // namespace tarry

// value_groups.hpp -- divides sorted numbers into groups of numbers that are alike.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tarry {

/// Consecutive sorted values.
struct ValueRun {
  std::size_t first = 0, size = 0;
  double sum = 0;
  double squares = 0;  // of the distances from the mean

  double mean() const { return sum / static_cast<double>(size); }
};

/// The groups that remain if neighbours which are not apart are put together, closest ones first.
struct ValueGrouping {
  std::vector<ValueRun> groups;  // from the lowest on
  double closest = 0;            // separation of the closest two; of a single group the best division in two
};

/// Distance between the means of neighbours, in units of the deviation within the groups.
double separation(const ValueRun& low, const ValueRun& high, double common_deviation);

/// `sorted`: ascending and finite. Groups are apart if their separation is at least `least_separation`. Deviations
/// below `resolution` count as that. Time is linear.
ValueGrouping group_values(std::span<const double> sorted, double least_separation, double resolution);

}  // namespace tarry

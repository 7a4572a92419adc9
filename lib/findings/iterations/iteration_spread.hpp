// iteration_spread.hpp -- how a value is spread over processes in each iteration, and which iterations stick out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "report/tables/iteration_series.hpp"

namespace tarry {

/// Values of one iteration over processes, or of one process over iterations.
struct Spread {
  double least = 0, first_quartile = 0, median = 0, third_quartile = 0, most = 0;
  std::size_t largest = 0;  // the first process that has most

  bool operator==(const Spread&) const = default;
};

/// Of values that are not sorted; zeros if there are none. A quantile lies between the two values that are nearest to
/// it.
Spread spread_over_processes(std::span<const double> values);

/// An iteration, or several in one row, with far more than the others.
struct OutlyingIteration {
  std::size_t row = 0;
  double mean = 0;    // over processes, of one iteration
  double median = 0;  // of the means of all iterations
  std::size_t largest = 0;
  double most = 0;  // at the process `largest`

  bool operator==(const OutlyingIteration&) const = default;
};

/// Those whose mean exceeds two bounds, the largest first. One is 1.5 times the median of all. The other lies above the
/// third quartile by three times the distance between the quartiles. None of less than 5 iterations.
std::vector<OutlyingIteration> find_outlying(const IterationSeries& series);

}  // namespace tarry

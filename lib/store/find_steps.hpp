// find_steps.hpp -- where a series of measurements has moved (docs/HISTORY.md, "How a step is found").
#pragma once

#include <cstddef>
#include <vector>

namespace tarry {

/// The values of one point of time: one run, or several of the same code.
using SeriesPoint = std::vector<double>;

struct SeriesStep {
  std::size_t point = 0;                 // the first one that is different
  std::size_t earliest = 0, latest = 0;  // it is one of these, in 99 of 100 cases
  double before = 0, after = 0;          // means up to the steps beside it
  double error = 0;                      // standard error of after - before
  double freedom = 0;                    // degrees of freedom of the error
  double chance = 0;                     // that noise looks like this anywhere in the series

  double change() const { return after - before; }
  /// How large the change may be, by its error: it is larger in one of kSeriesPerFalseStep cases.
  double largest_change() const;
  /// Of the mean before; 0 if that is 0.
  double relative() const { return before != 0 ? change() / (before < 0 ? -before : before) : 0; }
};

/// How often noise may be taken for a step: in one of this many series.
inline constexpr double kSeriesPerFalseStep = 5000;

/// Steps that are no chance, by time. Noise is that of values between two steps: no step is found among fewer than
/// three values.
std::vector<SeriesStep> find_steps(const std::vector<SeriesPoint>& points);

}  // namespace tarry

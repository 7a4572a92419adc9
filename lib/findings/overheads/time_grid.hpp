// time_grid.hpp -- times rounded so that their sums are exact, whatever the order in which they are added.
#pragma once

#include <cmath>

#include "base/units.hpp"

namespace tarry {

/// Multiples of a power of two. It is so large that the sum of all that the grid is made for needs no more than the 53
/// bits of a double. So parts of a time add up to the time itself, to the last bit. Rounding moves a value by less than
/// 1e-15 of the sum.
class TimeGrid {
 public:
  /// `sum`: of the absolute values of all times, finite.
  explicit TimeGrid(Seconds sum) : step_(std::ldexp(1.0, std::ilogb(sum > kLeast ? sum : kLeast) - kBits)) {}

  Seconds round(Seconds time) const { return std::nearbyint(time / step_) * step_; }

 private:
  static constexpr int kBits = 50;  // leaves room for the roundings of all values
  static constexpr Seconds kLeast = 1e-9;

  Seconds step_;
};

}  // namespace tarry

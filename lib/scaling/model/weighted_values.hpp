// weighted_values.hpp -- measured values made comparable: each divided by how much it varies.
#pragma once

#include <cstddef>
#include <vector>

#include "scaling/model/measured_points.hpp"

namespace tarry {

/// How the noise of a value depends on the value: its standard deviation is proportional to |value|^power.
enum class NoisePower { kAbsolute, kRoot, kRelative };

/// The power that the repeats favour. Relative, as times usually vary, unless they clearly favour another one.
NoisePower estimate_noise_power(const std::vector<MeasuredPoint>& points);

/// Means and weights for least squares; in these units every value has the same unknown variance.
struct WeightedValues {
  std::vector<double> scales;    // [point] what a column and a mean are multiplied with
  std::vector<double> targets;   // [point] scaled means
  double within = 0;             // squares of the repeats around their means, and a floor for exact values
  std::size_t observations = 0;  // all repeats
  bool is_nonnegative = true;    // no mean is below 0
  NoisePower noise = NoisePower::kRelative;
};

WeightedValues weigh(const std::vector<MeasuredPoint>& points);

}  // namespace tarry

// weighted_values.cpp -- measured values made comparable: each divided by how much it varies.
#include "scaling/model/weighted_values.hpp"

#include <algorithm>
#include <cmath>

namespace tarry {
namespace {

// Values are known to this share at best: tables round them, and no program does exactly what its model says.
constexpr double kLeastRelativeNoise = 1e-6;
// A point near zero must not weigh as much as all others.
constexpr double kLeastScaledSize = 1e-3;
// Log likelihood by which another power must be better.
constexpr double kClearAdvantage = 3;

double power_value(NoisePower power) {
  return power == NoisePower::kAbsolute ? 0 : power == NoisePower::kRoot ? 0.5 : 1;
}

// |mean| of each point, at least a small part of the largest.
std::vector<double> sizes_of(const std::vector<MeasuredPoint>& points) {
  std::vector<double> sizes;
  for (const MeasuredPoint& point : points) sizes.push_back(std::abs(point.mean()));
  double largest = *std::max_element(sizes.begin(), sizes.end());
  if (!(largest > 0)) largest = 1;
  for (double& size : sizes) size = std::max(size, kLeastScaledSize * largest);
  return sizes;
}

double squares_within(const MeasuredPoint& point) {
  const double mean = point.mean();
  double squares = 0;
  for (const double value : point.values) squares += (value - mean) * (value - mean);
  return squares;
}

// Of the repeats, with the best common variance.
double log_likelihood(const std::vector<MeasuredPoint>& points, const std::vector<double>& sizes, NoisePower power) {
  double squares = 0, freedom = 0, logs = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double own = static_cast<double>(points[i].values.size()) - 1;
    const double scale = std::pow(sizes[i], power_value(power));
    squares += squares_within(points[i]) / (scale * scale);
    freedom += own;
    logs += own * std::log(scale);
  }
  return freedom > 0 && squares > 0 ? -freedom / 2 * std::log(squares / freedom) - logs : 0;
}

}  // namespace

NoisePower estimate_noise_power(const std::vector<MeasuredPoint>& points) {
  const std::vector<double> sizes = sizes_of(points);
  NoisePower best = NoisePower::kRelative;
  double most = log_likelihood(points, sizes, best) + kClearAdvantage;
  for (const NoisePower power : {NoisePower::kRoot, NoisePower::kAbsolute}) {
    const double likelihood = log_likelihood(points, sizes, power);
    if (likelihood <= most) continue;
    best = power;
    most = likelihood;
  }
  return best;
}

WeightedValues weigh(const std::vector<MeasuredPoint>& points) {
  WeightedValues weighted{.scales = {}, .targets = {}, .noise = estimate_noise_power(points)};
  const std::vector<double> sizes = sizes_of(points);
  // What is always 0 is 0 exactly.
  const bool is_nothing = std::all_of(points.begin(), points.end(), [](const auto& one) { return one.mean() == 0; });
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double count = static_cast<double>(points[i].values.size()), mean = points[i].mean();
    const double deviation = std::pow(sizes[i], power_value(weighted.noise));
    const double floor = is_nothing ? 0 : kLeastRelativeNoise * sizes[i] / deviation;
    weighted.scales.push_back(std::sqrt(count) / deviation);
    weighted.targets.push_back(weighted.scales.back() * mean);
    weighted.within += squares_within(points[i]) / (deviation * deviation) + count * floor * floor;
    weighted.observations += points[i].values.size();
    weighted.is_nonnegative = weighted.is_nonnegative && mean >= 0;
  }
  return weighted;
}

}  // namespace tarry

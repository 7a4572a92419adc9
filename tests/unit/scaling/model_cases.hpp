// model_cases.hpp -- seeded measurements of functions that are known.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "scaling/model/scaling_model.hpp"

namespace tarry {

using Places = std::vector<std::vector<double>>;

inline Growth growth(int numerator, int denominator, int log) { return {{numerator, denominator}, log}; }

/// A line of places.
inline Places line_of(const std::vector<double>& values) {
  Places places;
  for (const double value : values) places.push_back({value});
  return places;
}

/// One point for each place: `repeats` values, each off by a normally distributed share, with six digits behind the
/// point.
inline std::vector<MeasuredPoint> measure(const ScalingModel& truth, const Places& places, double noise,
                                          std::mt19937_64& random, int repeats = 5) {
  std::normal_distribution<double> normal;
  std::vector<MeasuredPoint> points;
  for (const auto& place : places) {
    MeasuredPoint point{.at = place, .values = {}};
    for (int i = 0; i < repeats; ++i)
      point.values.push_back(std::round(truth.at(place) * (1 + noise * normal(random)) * 1e6) / 1e6);
    points.push_back(std::move(point));
  }
  return points;
}

/// One point for each value of one parameter, without repeats.
inline std::vector<MeasuredPoint> points_of(const std::vector<double>& at, const std::vector<double>& values) {
  std::vector<MeasuredPoint> points;
  for (std::size_t i = 0; i < at.size(); ++i) points.push_back({.at = {at[i]}, .values = {values[i]}});
  return points;
}

/// The products of parameters that the terms are: "a+ab".
inline std::string structure_of(const ScalingModel& model) {
  std::vector<std::string> products;
  for (const ModelTerm& term : model.terms) {
    std::string product;
    for (std::size_t k = 0; k < term.growths.size(); ++k)
      if (!term.growths[k].is_constant()) product += static_cast<char>('a' + k);
    products.push_back(product);
  }
  std::sort(products.begin(), products.end());
  std::string text;
  for (const std::string& product : products) text += (text.empty() ? "" : "+") + product;
  return text;
}

/// Whether the slopes of the leading terms are within 0.25 beyond the largest values of all parameters.
inline bool is_leading_near(const ScalingModel& truth, const ScalingModel& model, const Places& places) {
  for (std::size_t k = 0; k < places[0].size(); ++k) {
    double largest = 0;
    for (const auto& place : places) largest = std::max(largest, place[k]);
    const double difference = truth.leading(k).slope_beyond(largest) - model.leading(k).slope_beyond(largest);
    if (std::abs(difference) > 0.25 + 1e-9) return false;
  }
  return true;
}

}  // namespace tarry

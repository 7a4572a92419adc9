// made_series.hpp -- series of measurements whose step is known, for tests and figures of find_steps.
#pragma once

#include <cmath>
#include <random>

#include "store/find_steps.hpp"

namespace tarry {

/// How a made series is: a commit is a point, its runs are the values. Noise is relative to the mean.
struct MadeSeries {
  std::size_t commits = 20, repeats = 3;
  std::size_t step_at = 0;  // the first commit that is different; 0: none
  double step = 0.05;
  double noise = 0.01;
  double common = 0;  // part of the noise that the runs of a commit share
  bool is_log_normal = false;
};

inline std::vector<SeriesPoint> make_series(const MadeSeries& made, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  const double own = std::sqrt(made.noise * made.noise - made.common * made.common);
  std::vector<SeriesPoint> points(made.commits);
  for (std::size_t i = 0; i < made.commits; ++i) {
    const double level = 250 * (made.step_at > 0 && i >= made.step_at ? 1 + made.step : 1);
    const double common = made.common * normal(random);
    for (std::size_t k = 0; k < made.repeats; ++k) {
      const double noise = common + own * normal(random);
      points[i].push_back(level * (made.is_log_normal ? std::exp(noise) : 1 + noise));
    }
  }
  return points;
}

/// A place for the step that has two commits on either side.
inline std::size_t random_place(std::size_t commits, std::mt19937_64& random) {
  return std::uniform_int_distribution<std::size_t>(2, commits - 2)(random);
}

}  // namespace tarry

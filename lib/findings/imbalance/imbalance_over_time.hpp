// imbalance_over_time.hpp -- whether the same processes have more than the average in all iterations, or others.
#pragma once

#include <string_view>

#include "report/tables/iteration_series.hpp"

namespace tarry {

enum class TimeCourse : std::uint8_t {
  kUnclear,   // too few iterations or processes, or nothing fits
  kBalanced,  // there is no imbalance to speak of
  kStatic,    // the same processes have more in most iterations
  kDynamic,   // others in each
  kDrifting,  // others, but slowly: neighbouring iterations are alike
};

/// Machine name ("static").
std::string_view name_of(TimeCourse course);

/// What the verdict rests on. Deviations are those of a process from the average of its iteration.
struct ImbalanceOverTime {
  TimeCourse course = TimeCourse::kUnclear;
  std::size_t left_out = 0;          // iterations, as their deviations would outweigh those of all others
  double imbalance = 0;              // mean of (most - average) / average over iterations
  double static_fraction = 0;        // of the variance of deviations: explained by the mean of each process
  double slow_fraction = 0;          // explained by its mean in each of up to 8 stretches of iterations
  double neighbour_correlation = 0;  // of the ranking of processes in an iteration with that in the next one, mean
  double distant_correlation = 0;    // the same half of the iterations apart
};

/// Both fractions leave out what chance explains: they are near 0 for noise. Source: docs/METRICS.md, "Imbalance over
/// time"; Boehme, sections 3.3.3 and 3.7.
ImbalanceOverTime classify_over_time(const IterationSeries& series);

}  // namespace tarry

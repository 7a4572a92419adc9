// imbalance.hpp -- what a thread computes more or less than the average in one call path.
//
//   d = computation - average: overload if positive, underload if negative
//
// Source: docs/METRICS.md, "Computational imbalance".
#pragma once

#include <cmath>

namespace tarry {

/// Those who take part in the balance of a call path: all threads in parallel regions, else the first of each process.
struct PathBalance {
  double time = 0;          // computation of them all
  double participants = 0;  // how many they are
  double visitors = 0;      // of these: who visit the call path
};

/// One participant's values of the metrics, in the unit of the balance's time.
struct Imbalance {
  double total = 0;
  double above = 0, above_single = 0;
  double below = 0, below_bypass = 0, below_singularity = 0;
};

/// `counts_missing`: whether it matters who does not visit the call path. In programs with OpenMP that is so in
/// parallel regions only.
inline Imbalance imbalance_of(const PathBalance& all, bool counts_missing, double time, bool visits) {
  const double average = all.time / all.participants;
  const double difference = time - average;
  Imbalance own;
  own.total = std::abs(difference);
  (difference > 0 ? own.above : own.below) = own.total;
  if (!counts_missing || average == 0 || all.visitors >= all.participants) return own;
  const bool is_single = all.visitors == 1;
  if (!visits) own.below_bypass = average;
  if (!visits && is_single) own.below_singularity = average;
  if (visits && is_single) own.above_single = average * (all.participants - 1);
  return own;
}

}  // namespace tarry

// imbalance.hpp -- what a thread computes more or less than the average in one call path.
//
//   d = computation - average: overload if positive, underload if negative
//
// The average is over all threads inside parallel regions, over the first threads of processes outside. Of several
// worlds, which begin at different times, each has an average of its own.
// Source: docs/METRICS.md, "Computational imbalance".
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

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

/// A thread as the columns of a table have it.
struct BalancedThread {
  bool is_first = true;     // of its process
  bool is_thread = true;    // else another location, which takes no part
  std::uint32_t world = 0;  // that its process is in
};

/// The threads of a table, compared call path by call path.
class ThreadBalance {
 public:
  ThreadBalance() = default;
  /// `has_parallel_paths`: whether any call path lies in a parallel region.
  ThreadBalance(std::vector<BalancedThread> threads, bool uses_openmp, bool has_parallel_paths)
      : threads_(std::move(threads)), uses_openmp_(uses_openmp) {
    for (std::size_t column = 0; column < threads_.size(); ++column) {
      const std::uint32_t world = threads_[column].world;
      if (world >= most_participants_.size()) most_participants_.resize(world + 1, 0);
      most_participants_[world] += takes_part(has_parallel_paths, column);
    }
  }

  /// put(column, its Imbalance) for each thread that takes part in the balance of a call path, unless it is the only
  /// one in its world. `time`: computation, in any unit, and `visits`, both by column.
  template <class Put>
  void compare(bool is_parallel, std::span<const double> time, std::span<const double> visits, Put put) const {
    std::vector<PathBalance> all(most_participants_.size());
    for (std::size_t column = 0; column < threads_.size(); ++column) {
      if (!takes_part(is_parallel, column)) continue;
      PathBalance& balance = all[threads_[column].world];
      balance.time += time[column];
      ++balance.participants;
      balance.visitors += visits[column] > 0;
    }
    const bool counts_missing = !uses_openmp_ || is_parallel;
    for (std::size_t column = 0; column < threads_.size(); ++column)
      if (takes_part(is_parallel, column) && has_other(column))
        put(column, imbalance_of(all[threads_[column].world], counts_missing, time[column], visits[column] > 0));
  }

  /// Whether any thread has another one to be compared with.
  bool has_others() const {
    for (const std::size_t most : most_participants_)
      if (most > 1) return true;
    return false;
  }

 private:
  bool takes_part(bool is_parallel, std::size_t column) const {
    return threads_[column].is_thread && (threads_[column].is_first || (uses_openmp_ && is_parallel));
  }
  bool has_other(std::size_t column) const { return most_participants_[threads_[column].world] > 1; }

  std::vector<BalancedThread> threads_;         // by column
  std::vector<std::size_t> most_participants_;  // by world: in any call path
  bool uses_openmp_ = false;
};

}  // namespace tarry

// location_sums.hpp -- visits the results of all threads of all processes, many at a time, and sums over them.
#pragma once

#include <algorithm>
#include <vector>

#include "analysis.hpp"
#include "base/worker_pool.hpp"

namespace tarry {

/// All locations of an analysis. Sums are taken over blocks of processes first, whose borders depend on their number alone:
/// so do the sums, whatever the number of workers.
class AllLocations {
 public:
  AllLocations(std::vector<RankResult>& results, unsigned workers)
      : results_(results), workers_(workers), block_(std::max<std::size_t>(kSmallestBlock, results.size() / kMostBlocks + 1)) {}

  /// visit(result, thread) for each location; at once for several processes, not for two threads of one.
  template <class Visit>
  void for_each(Visit visit) const {
    run_parallel(workers_, block_count(), [&](std::size_t block) { visit_block(block, visit); });
  }

  /// The sums of what visit(result, thread, sums) adds for each location; `zero` is where they begin. Sums is a struct
  /// with an operator +=.
  template <class Sums, class Visit>
  Sums sum(const Sums& zero, Visit visit) const {
    std::vector<Sums> parts(block_count(), zero);
    run_parallel(workers_, parts.size(), [&](std::size_t block) {
      visit_block(block, [&](RankResult& result, std::size_t thread) { visit(result, thread, parts[block]); });
    });
    Sums total = zero;
    for (const Sums& part : parts) total += part;
    return total;
  }

 private:
  static constexpr std::size_t kSmallestBlock = 64, kMostBlocks = 64;

  std::size_t block_count() const { return (results_.size() + block_ - 1) / block_; }

  template <class Visit>
  void visit_block(std::size_t block, const Visit& visit) const {
    const std::size_t end = std::min(results_.size(), (block + 1) * block_);
    for (std::size_t r = block * block_; r < end; ++r)
      for (std::size_t thread = 0; thread < results_[r].values.size(); ++thread) visit(results_[r], thread);
  }

  std::vector<RankResult>& results_;
  const unsigned workers_;
  const std::size_t block_;  // processes
};

/// Sums per call path.
inline void add_up(std::vector<double>& sums, const std::vector<double>& values) {
  for (std::size_t c = 0; c < sums.size(); ++c) sums[c] += values[c];
}

}  // namespace tarry

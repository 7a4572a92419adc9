// column_blocks.hpp -- visits all columns of a table of results, many at a time, and sums over them.
#pragma once

#include <algorithm>
#include <vector>

#include "base/processes/worker_pool.hpp"

namespace tarry {

/// Some neighbouring columns.
struct ColumnBlock {
  std::size_t begin, end;
  std::size_t size() const { return end - begin; }
};

/// The columns of a table in blocks. Their borders depend on the size of the table alone. So sums that are taken over
/// blocks first do not depend on the number of workers.
class ColumnBlocks {
 public:
  /// A block with a value for each of `paths` call paths is meant to fit into a cache.
  ColumnBlocks(std::size_t columns, std::size_t paths, unsigned workers)
      : columns_(columns),
        workers_(workers),
        width_(std::clamp(kMostValues / std::max<std::size_t>(paths, 1), kLeastColumns, kMostColumns)) {}

  /// visit(block) for each block; several at once.
  template <class Visit>
  void for_each(Visit visit) const {
    run_parallel(workers_, count(), [&](std::size_t number) { visit(block(number)); });
  }

  /// The sums of what visit(block, sums) adds for each block; `zero` is where they begin. Sums is a struct with an
  /// operator +=.
  template <class Sums, class Visit>
  Sums sum(const Sums& zero, Visit visit) const {
    std::vector<Sums> parts(count(), zero);
    run_parallel(workers_, parts.size(), [&](std::size_t number) { visit(block(number), parts[number]); });
    Sums total = zero;
    for (const Sums& part : parts) total += part;
    return total;
  }

 private:
  static constexpr std::size_t kMostValues = 65536, kLeastColumns = 8, kMostColumns = 1024;

  std::size_t count() const { return (columns_ + width_ - 1) / width_; }
  ColumnBlock block(std::size_t number) const { return {number * width_, std::min(columns_, (number + 1) * width_)}; }

  std::size_t columns_;
  unsigned workers_;
  std::size_t width_;
};

/// Adds sums per call path.
inline void add_up(std::vector<double>& sums, const std::vector<double>& values) {
  for (std::size_t c = 0; c < sums.size(); ++c) sums[c] += values[c];
}

}  // namespace tarry

// value_rows.hpp -- results as a report has them: rows of values over threads, one for each metric and call path.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "report/metrics/metrics.hpp"
#include "replay/trees/call_tree.hpp"
#include "replay/trace_ids.hpp"

namespace tarry {

/// A thread of a process that was analysed: one column.
struct AnalysedThread {
  RankIndex rank_index{};
  ThreadIndex thread{};
  LocationId location{};
  bool is_queue = false;  // of an accelerator

  bool is_master() const { return thread == kMaster; }
};

/// Values by metric, call path and column. A row takes 8 bytes x columns from its first use on, and no memory before.
/// Values are ticks, occurrences or bytes: times are whole numbers, whose sums are exact and do not depend on their
/// order.
class ValueRows {
 public:
  ValueRows() = default;
  ValueRows(std::size_t paths, std::size_t columns);
  ValueRows(ValueRows&& other) noexcept;
  ValueRows& operator=(ValueRows&& other) noexcept;
  ~ValueRows();

  std::size_t paths() const { return paths_; }
  std::size_t columns() const { return columns_; }

  /// The row, made of zeros if there is none. Several threads may ask at once.
  double* row(Metric metric, PathIndex path) {
    if (Cell* cells = cells_of(metric)) [[likely]]
      if (double* found = cells[path].load(std::memory_order_acquire)) [[likely]]
        return found;
    return make_row(metric, path);
  }

  /// The row if there is one, else nullptr.
  const double* find(Metric metric, PathIndex path) const {
    const Cell* cells = cells_of(metric);
    return cells ? cells[path].load(std::memory_order_acquire) : nullptr;
  }

  bool has(Metric metric) const { return cells_of(metric); }

  void add(Metric metric, PathIndex path, std::size_t column, double value) {
    if (value != 0) row(metric, path)[column] += value;
  }

  /// Adds `factor` x the row of one metric to that of another, if there is any.
  void add_row(Metric part, Metric whole, PathIndex path, double factor = 1);

  /// Hands a row over; nullptr if there is none. Afterwards there is none.
  std::unique_ptr<double[]> take(Metric metric, PathIndex path);

  /// Removes all rows of a metric.
  void drop(Metric metric);

 private:
  using Cell = std::atomic<double*>;

  Cell* cells_of(Metric metric) const {
    return metrics_ ? metrics_[static_cast<std::size_t>(metric)].load(std::memory_order_acquire) : nullptr;
  }
  double* make_row(Metric metric, PathIndex path);

  std::size_t paths_ = 0, columns_ = 0;
  std::unique_ptr<std::atomic<Cell*>[]> metrics_;  // [metric], each [call path]; nullptr: no row
};

}  // namespace tarry

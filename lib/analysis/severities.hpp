// severities.hpp -- what the patterns add up: values per metric and call path of one thread.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/arrays/indexed.hpp"
#include "base/processes/thread_owned.hpp"
#include "report/metrics/metrics.hpp"
#include "replay/trees/call_tree.hpp"
#include "replay/iterations/iteration_slots.hpp"
#include "analysis/value_rows.hpp"

namespace tarry {

/// Sums by (metric, call path), while they are added up. In the table of results the columns of threads that are
/// analysed at the same time are neighbours in memory: so no wait writes there. Values are inclusive along the metric
/// tree only as far as patterns add them to parents as well. Takes 8 bytes for each metric of a call path that has a
/// value. To bound that, at most kMostRows call paths have cells; earlier ones move to the target of send_to().
class Severities {
  struct Row {
    std::array<std::uint64_t, (kMetricCount + 63) / 64> is_used{};
    std::array<double, kMetricCount> values{};
  };

 public:
  /// The sums of one call path. Valid until another call path gets a value.
  class OfPath {
   public:
    OfPath(Severities& all, PathIndex path) : all_(all), path_(path) {}

    void add(Metric metric, double value) {
      if (value == 0) return;
      if (!row_) row_ = &all_.row_of(path_);
      const auto number = static_cast<std::size_t>(metric);
      row_->is_used[number / 64] |= std::uint64_t{1} << number % 64;
      row_->values[number] += value;
    }

   private:
    Severities& all_;
    const PathIndex path_;
    Row* row_ = nullptr;
  };

  /// A column of `rows` gets the sums when there are many, and the rest at move_on(). Sums of ticks are exact, so it
  /// does not matter when. `to_unified`: the call paths of the rows that those here are (nullptr: the same). Without
  /// this call all sums are kept.
  void send_to(ValueRows& rows, std::size_t column, const std::vector<PathIndex>* to_unified = nullptr) {
    target_ = &rows;
    column_ = column;
    to_unified_ = to_unified;
  }

  /// The same column of `rows`, whose rows are the slots of a time series, gets the sums of call paths in a slot, too.
  /// `slot_of`: of each call path, or IterationSlots::kNone. To be called after send_to().
  void send_slots_to(ValueRows& rows, const std::vector<std::uint32_t>& slot_of) {
    slot_target_ = &rows;
    slot_of_ = &slot_of;
  }

  OfPath of(PathIndex path) { return {*this, path}; }
  void add(Metric metric, PathIndex path, double value) { of(path).add(metric, value); }

  /// Adds all sums to the column that send_to() named, and has none afterwards. The next ones stay here.
  void move_on() {
    empty();
    if (cells_.size() > kUsualRows) cells_ = {};
    target_ = slot_target_ = nullptr;
  }

  bool is_empty() const { return paths_.empty(); }

 private:
  static constexpr std::uint32_t kNoRow = 0xffffffffu;
  static constexpr std::size_t kUsualRows = 64;  // of a process that has few call paths with values
  static constexpr std::size_t kMostRows = 1024;

  Row& row_of(PathIndex path) {
    if (path >= rows_.size()) rows_.resize(path + 1, kNoRow);
    std::uint32_t& row = rows_[path];
    if (row == kNoRow) {
      if (paths_.size() >= kMostRows && target_) empty();
      row = static_cast<std::uint32_t>(paths_.size());
      paths_.push_back(path);
      if (row == cells_.size()) cells_.emplace_back();
    }
    return cells_[row];
  }

  void empty() {
    for (std::size_t r = 0; r < paths_.size(); ++r) {
      rows_[paths_[r]] = kNoRow;
      const std::uint32_t slot = slot_target_ ? (*slot_of_)[paths_[r]] : IterationSlots::kNone;
      move_row(cells_[r], to_unified_ ? (*to_unified_)[paths_[r]] : paths_[r], slot);
    }
    paths_.clear();
  }

  void move_row(Row& row, PathIndex path, std::uint32_t slot) {
    for (std::size_t word = 0; word < row.is_used.size(); ++word) {
      for (std::uint64_t left = row.is_used[word]; left != 0; left &= left - 1) {
        const std::size_t number = word * 64 + static_cast<std::size_t>(std::countr_zero(left));
        target_->add(static_cast<Metric>(number), path, column_, row.values[number]);
        if (slot != IterationSlots::kNone)
          slot_target_->add(static_cast<Metric>(number), slot, column_, row.values[number]);
        row.values[number] = 0;
      }
      row.is_used[word] = 0;
    }
  }

  std::vector<std::uint32_t> rows_;  // per call path, its row of cells
  std::vector<PathIndex> paths_;     // of the cells that are in use
  std::vector<Row> cells_;
  ValueRows* target_ = nullptr;
  std::size_t column_ = 0;
  const std::vector<PathIndex>* to_unified_ = nullptr;
  ValueRows* slot_target_ = nullptr;
  const std::vector<std::uint32_t>* slot_of_ = nullptr;
};

/// Those of the threads of a process.
using ThreadSeverities = Indexed<ThreadIndex, std::vector<Severities>>;

/// Empty ones for the threads of a process, whose columns of `rows` follow `first_column`. They belong to the calling
/// thread, which uses their memory for the next process.
inline ThreadSeverities& empty_severities(std::size_t threads, ValueRows& rows, std::size_t first_column,
                                          const std::vector<PathIndex>* to_unified = nullptr) {
  thread_local ThreadOwned<ThreadSeverities> mine;
  mine.resize(threads);
  for (std::size_t t = 0; t < threads; ++t) mine[t].send_to(rows, first_column + t, to_unified);
  return mine;
}

}  // namespace tarry

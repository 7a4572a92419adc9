// severities.hpp -- what the patterns add up: values per metric and call path of one thread.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "metrics.hpp"
#include "replay/call_tree.hpp"
#include "value_rows.hpp"

namespace tarry {

/// Sums by (metric, call path), while they are added up: the columns of threads that are analysed at the same time lie
/// side by side in memory, and are not written for each wait. Values are inclusive along the metric tree only as far as
/// patterns add them to parents as well. 8 bytes for each metric and call path that has a value: not for keeping, see
/// move_to().
class Severities {
 public:
  void add(Metric metric, PathIndex path, double value) {
    if (value == 0) return;
    const auto number = static_cast<std::size_t>(metric);
    Row& row = row_of(path);
    row.is_used[number / 64] |= std::uint64_t{1} << number % 64;
    row.values[number] += value;
  }

  /// Adds all sums to a column of `rows`, and has none afterwards. `to_united`: the call paths of the rows that those
  /// here are (nullptr: the same).
  void move_to(ValueRows& rows, std::size_t column, const std::vector<PathIndex>* to_united = nullptr) {
    for (std::size_t r = 0; r < paths_.size(); ++r) {
      rows_[paths_[r]] = kNoRow;
      move_row(cells_[r], rows, column, to_united ? (*to_united)[paths_[r]] : paths_[r]);
    }
    paths_.clear();
    if (cells_.size() > kUsualRows) cells_ = {};
  }

  bool is_empty() const { return paths_.empty(); }

 private:
  static constexpr std::uint32_t kNoRow = 0xffffffffu;
  static constexpr std::size_t kUsualRows = 64;  // of a process that has few call paths with values

  struct Row {
    std::array<std::uint64_t, (kMetricCount + 63) / 64> is_used{};
    std::array<double, kMetricCount> values{};
  };

  Row& row_of(PathIndex path) {
    if (path >= rows_.size()) rows_.resize(path + 1, kNoRow);
    std::uint32_t& row = rows_[path];
    if (row == kNoRow) {
      row = static_cast<std::uint32_t>(paths_.size());
      paths_.push_back(path);
      if (row == cells_.size()) cells_.emplace_back();
    }
    return cells_[row];
  }

  static void move_row(Row& row, ValueRows& rows, std::size_t column, PathIndex path) {
    for (std::size_t word = 0; word < row.is_used.size(); ++word) {
      for (std::uint64_t left = row.is_used[word]; left != 0; left &= left - 1) {
        const std::size_t number = word * 64 + static_cast<std::size_t>(std::countr_zero(left));
        rows.add(static_cast<Metric>(number), path, column, row.values[number]);
        row.values[number] = 0;
      }
      row.is_used[word] = 0;
    }
  }

  std::vector<std::uint32_t> rows_;  // per call path, its row of cells
  std::vector<PathIndex> paths_;     // of the cells that are in use
  std::vector<Row> cells_;
};

/// Empty ones for the threads of a process. They belong to the calling thread, which uses their memory for the next
/// process.
inline std::vector<Severities>& empty_severities(std::size_t threads) {
  thread_local std::vector<Severities> mine;
  mine.resize(threads);
  return mine;
}

}  // namespace tarry

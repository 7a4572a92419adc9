// severities.hpp -- what the patterns add up: values per metric and call path of one thread.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "metrics.hpp"
#include "replay/call_tree.hpp"

namespace tarry {

/// One value of one thread.
struct MetricValue {
  std::uint32_t metric = 0;  // a Metric
  PathIndex path = kNoPath;
  double value = 0;  // ticks, occurrences or bytes
};

/// What is kept of a thread's values: those that are not 0.
using MetricValues = std::vector<MetricValue>;

/// Sums by (metric, call path), while they are added up. Times are in ticks, which are whole numbers: their sums are exact
/// and do not depend on their order. Values are inclusive along the metric tree only as far as patterns add them to parents
/// as well. 8 bytes for each metric and call path that has a value: not for keeping, see list().
class Severities {
 public:
  void add(Metric metric, PathIndex path, double value) {
    if (value == 0) return;
    is_used_[static_cast<std::size_t>(metric)] = true;
    row_of(path)[static_cast<std::size_t>(metric)] += value;
  }

  /// The sums that are not 0, by metric and call path.
  MetricValues list() const {
    std::vector<PathIndex> paths;
    for (PathIndex path = 0; path < rows_.size(); ++path)
      if (rows_[path] != kNoRow) paths.push_back(path);
    MetricValues values;
    values.reserve(paths.size() * static_cast<std::size_t>(std::count(is_used_.begin(), is_used_.end(), true)));
    for (std::uint32_t metric = 0; metric < kMetricCount; ++metric) {
      if (!is_used_[metric]) continue;
      for (const PathIndex path : paths)
        if (const double value = cells_[rows_[path]][metric]; value != 0)
          values.push_back({metric, path, value});
    }
    values.shrink_to_fit();
    return values;
  }

 private:
  static constexpr std::uint32_t kNoRow = 0xffffffffu;
  static constexpr std::size_t kUsualRows = 16;  // of a process that has few call paths with values

  using Row = std::array<double, kMetricCount>;

  Row& row_of(PathIndex path) {
    if (path >= rows_.size()) rows_.resize(path + 1, kNoRow);
    std::uint32_t& row = rows_[path];
    if (row == kNoRow) {
      if (cells_.empty()) cells_.reserve(kUsualRows);
      row = static_cast<std::uint32_t>(cells_.size());
      cells_.emplace_back();
    }
    return cells_[row];
  }

  std::vector<std::uint32_t> rows_;  // per call path, its row of cells
  std::vector<Row> cells_;
  std::array<bool, kMetricCount> is_used_{};
};

}  // namespace tarry

// row_table.hpp -- which rows a summary has.
#pragma once

#include <cstdint>
#include <vector>

#include "summary/node_values.hpp"

namespace tarry {

/// A bit for each metric and call path. Metrics without rows take no memory.
class RowTable {
 public:
  explicit RowTable(std::size_t metric_count = 0) : has_row_(metric_count) {}

  void add(SummaryMetric metric, std::uint32_t path) {
    std::vector<bool>& rows = has_row_[metric];
    if (rows.size() <= path) rows.resize(path + std::size_t{1});
    rows[path] = true;
  }

  bool has(SummaryMetric metric, std::uint32_t path) const {
    const std::vector<bool>& rows = has_row_[metric];
    return path < rows.size() && rows[path];
  }

  bool has_any(SummaryMetric metric) const { return !has_row_[metric].empty(); }

 private:
  std::vector<std::vector<bool>> has_row_;  // [metric][call path]
};

}  // namespace tarry

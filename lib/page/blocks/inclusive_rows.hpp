// inclusive_rows.hpp -- inclusive rows of a metric from its exclusive ones, each read once.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "page/runs/explored_run.hpp"

namespace tarry {

/// Sums of exclusive rows over the subtrees. Holds a row for each call path from a root down to the present one; knows
/// nothing where that takes too much memory, and of metrics whose values do not add up.
class InclusiveRows {
 public:
  InclusiveRows(const ExploredRun& run, const PageMetric& metric);

  bool are_known() const { return are_known_; }

  /// To be called for all call paths of the page from the last to the first, with their exclusive rows, or with nullptr
  /// where there is none. False if the inclusive row has no value either, or is not known.
  bool add(std::uint32_t path, const std::vector<double>* exclusive);

  /// The inclusive row of the path added last.
  const std::vector<double>& row() const { return row_; }

 private:
  const ExploredRun& run_;
  bool are_known_;
  std::unordered_map<std::uint32_t, std::vector<double>> below_;  // [path]: sum of the children so far
  std::vector<double> row_;
};

}  // namespace tarry

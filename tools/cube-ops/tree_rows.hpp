// tree_rows.hpp -- the lines of a call tree, from the program down or from each function up to its callers.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "report/algebra/cube_values.hpp"

namespace tarry {

/// One line. Of the bottom-up tree, `path` is the caller that the line is about, and `callee` the call path of the
/// function at the root.
struct TreeRow {
  CallPathId path, callee;
  std::uint32_t depth = 0;
  double value = 0;
};

struct TreeWishes {
  bool is_inclusive = false;
  double least = 0;                   // absolute; lines below are hidden
  std::uint32_t depth = 0xffffffffu;  // levels
  /// Order of siblings, by call paths or regions; none: that of the report.
  std::function<bool(CallPathId, CallPathId)> is_before;
};

/// Levels of the bottom-up tree, which would grow with the square of a recursion's depth.
inline constexpr std::uint32_t kMostCallers = 100;

/// Call paths in depth-first order. A line of the last level that is wanted has the value of all below it.
std::vector<TreeRow> top_down_rows(const CubeSource& report, const MetricTotals& totals, const TreeWishes& wishes);

/// Regions, the largest first, and below them their callers with their parts of the region's exclusive value.
std::vector<TreeRow> bottom_up_rows(const CubeSource& report, const MetricTotals& totals, const TreeWishes& wishes);

}  // namespace tarry

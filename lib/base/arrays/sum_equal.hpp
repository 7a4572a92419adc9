// sum_equal.hpp -- rows of the same key become one, in the order of keys.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace tarry {

/// Sorts by `key`, a member or a function of a row, and calls add(first row, other row) for those that share one. Rows
/// of the same key are added in the order in which they came: so sums of fractions do not depend on the sorting.
template <class Row, class Key, class Add>
void sum_equal(std::vector<Row>& rows, Key key, Add add) {
  std::ranges::stable_sort(rows, {}, key);
  std::size_t kept = 0;
  for (Row& row : rows) {
    if (kept > 0 && std::invoke(key, std::as_const(rows[kept - 1])) == std::invoke(key, std::as_const(row)))
      add(rows[kept - 1], std::as_const(row));
    else if (&rows[kept++] != &row) rows[kept - 1] = std::move(row);
  }
  rows.resize(kept);
}

}  // namespace tarry

// sort_runs.hpp -- sorts what consists of a few sorted stretches.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/arrays/rows.hpp"

namespace tarry {

/// Stable. Time: n log of the number of ascending stretches, which are merged pairwise; needs as much memory again.
template <class T, class Less>
void sort_runs(Rows<T>& values, Less less) {
  std::vector<std::size_t> ends;  // of stretches
  for (std::size_t i = 1; i <= values.size(); ++i)
    if (i == values.size() || less(values[i], values[i - 1])) ends.push_back(i);
  Rows<T> other(values.budget());
  if (ends.size() > 1) other.resize(values.size());
  while (ends.size() > 1) {
    std::vector<std::size_t> merged;
    std::size_t begin = 0;
    for (std::size_t r = 0; r < ends.size(); r += 2) {
      const auto first = values.begin() + static_cast<std::ptrdiff_t>(begin);
      const auto middle = values.begin() + static_cast<std::ptrdiff_t>(ends[r]);
      const auto last = values.begin() + static_cast<std::ptrdiff_t>(r + 1 < ends.size() ? ends[r + 1] : ends[r]);
      std::merge(first, middle, middle, last, other.begin() + static_cast<std::ptrdiff_t>(begin), less);
      begin = static_cast<std::size_t>(last - values.begin());
      merged.push_back(begin);
    }
    std::swap(values, other);
    ends.swap(merged);
  }
}

}  // namespace tarry

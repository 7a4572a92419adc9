// time_ranges.hpp -- the parts of a thread's time that an analysis counts.
#pragma once

#include <algorithm>
#include <vector>

#include "base/units.hpp"

namespace tarry {

/// Half-open ranges of ticks, sorted and disjoint.
class TimeRanges {
 public:
  struct Range {
    Ticks begin = 0;
    Ticks end = 0;
    bool operator==(const Range&) const = default;
  };

  TimeRanges() = default;

  /// Of any ranges, in any order; they may overlap. Empty ones are left out.
  explicit TimeRanges(std::vector<Range> ranges) {
    std::erase_if(ranges, [](const Range& range) { return range.begin >= range.end; });
    std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
    for (const Range& range : ranges) {
      if (!ranges_.empty() && range.begin <= ranges_.back().end)
        ranges_.back().end = std::max(ranges_.back().end, range.end);
      else ranges_.push_back(range);
    }
  }

  const std::vector<Range>& all() const { return ranges_; }

  /// How much of [begin, end) is in the ranges. Time: logarithmic, and linear in the ranges met.
  Ticks overlap(Ticks begin, Ticks end) const {
    Ticks sum = 0;
    for_each_part(begin, end, [&](Ticks first, Ticks last) { sum += last - first; });
    return sum;
  }

  bool contains(Ticks time) const {
    const auto at = first_after(time);
    return at != ranges_.end() && at->begin <= time;
  }

  /// Calls visit(begin, end) for each part of [begin, end) that is in the ranges.
  template <class Visit>
  void for_each_part(Ticks begin, Ticks end, Visit visit) const {
    for (auto at = first_after(begin); at != ranges_.end() && at->begin < end; ++at)
      if (const Ticks first = std::max(begin, at->begin), last = std::min(end, at->end); first < last)
        visit(first, last);
  }

 private:
  // The first range that ends after `time`.
  std::vector<Range>::const_iterator first_after(Ticks time) const {
    return std::upper_bound(ranges_.begin(), ranges_.end(), time,
                            [](Ticks t, const Range& range) { return t < range.end; });
  }

  std::vector<Range> ranges_;
};

}  // namespace tarry

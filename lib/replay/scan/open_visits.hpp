// open_visits.hpp -- the visits of regions that one thread has begun and not ended, while its events are read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/arrays/flat_map.hpp"
#include "base/units.hpp"
#include "defs/definitions.hpp"
#include "replay/scan/time_log.hpp"
#include "replay/trace_ids.hpp"
#include "replay/trees/call_tree.hpp"

namespace tarry {

/// A visit of a region that has not ended.
struct OpenVisit {
  PathIndex path = kNoPath;
  RegionId region;
  Ticks enter = 0;
  CallIndex call{};  // once a record asked for it
  BarrierIndex barrier{};
  LogPosition position = 0;  // in the time log, right after it was entered (MPI functions)
  std::uint64_t calls = 1;   // coalesced
};

/// A stack of them, the innermost on top.
class [[gnu::visibility("hidden")]] OpenVisits {
 public:
  bool is_empty() const { return visits_.empty(); }
  std::size_t depth() const { return visits_.size(); }
  /// `level` 0: the outermost.
  const OpenVisit& operator[](std::size_t level) const { return visits_[level]; }

  OpenVisit& innermost() { return visits_.back(); }
  const OpenVisit& innermost() const { return visits_.back(); }
  /// The one around the innermost; nullptr: there is none.
  const OpenVisit* around_innermost() const { return visits_.size() > 1 ? &visits_.back() - 1 : nullptr; }
  /// The call path of the innermost visit; kNoPath if no region is open.
  PathIndex path() const { return visits_.empty() ? kNoPath : visits_.back().path; }

  OpenVisit& enter(PathIndex path, RegionId region, Ticks time) {
    if (is_counting_) [[unlikely]]
      ++counts_.insert(region, 0);
    return enter_uncounted(path, region, time);
  }

  /// The innermost one ends.
  void leave() {
    if (is_counting_) [[unlikely]]
      --counts_.insert(visits_.back().region, 0);
    leave_uncounted();
  }

  /// As enter() and leave(), for as long as !is_counting().
  OpenVisit& enter_uncounted(PathIndex path, RegionId region, Ticks time) {
    visits_.push_back({.path = path, .region = region, .enter = time});
    return visits_.back();
  }
  void leave_uncounted() { visits_.pop_back(); }

  /// Whether has() was asked: from then on visits are counted.
  bool is_counting() const { return is_counting_; }

  /// Whether one of them is of the region. In damaged traces this is asked for each of many leaves: counts instead of a
  /// look at the whole stack each time.
  bool has(RegionId region) {
    if (!is_counting_)
      for (const OpenVisit& visit : visits_) ++counts_.insert(visit.region, 0);
    is_counting_ = true;
    const std::uint32_t* count = counts_.find(region);
    return count && *count > 0;
  }

 private:
  std::vector<OpenVisit> visits_;
  FlatMap<RegionId, std::uint32_t> counts_;  // of regions in visits_
  bool is_counting_ = false;
};

}  // namespace tarry

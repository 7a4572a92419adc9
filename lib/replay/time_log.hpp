// time_log.hpp -- how much time each call path got, in order: the "time vectors" of delay and critical-path analysis.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/rows.hpp"
#include "base/units.hpp"
#include "replay/call_tree.hpp"

namespace tarry {

/// A place in a TimeLog: everything recorded before it.
using LogPosition = std::uint32_t;

/// Exclusive time of call paths of one thread, as a sequence of (call path, ticks). Between two marks each call path
/// has one entry (or several, if it got more than 2^32 ticks). The time vector of an interval is the sum of the entries
/// between its two positions (Boehme, section 4.2.3). 8 bytes an entry, and 16 for any long time: a damaged time stamp
/// costs no memory.
class TimeLog {
 public:
  struct Entry {
    PathIndex path;
    Ticks ticks;
  };

  void add(PathIndex path, Ticks ticks) {
    if (ticks <= 0) return;
    if (path >= latest_.size()) latest_.resize(path + 1, 0);
    const auto high = static_cast<std::uint32_t>(ticks >> 32);
    const auto low = static_cast<std::uint32_t>(ticks);
    const std::uint32_t at = latest_[path];
    if (high == 0 && at < slots_.size() && at >= mark_ && slots_[at].path == path &&
        slots_[at].ticks + std::uint64_t{low} <= kMostLow) {
      slots_[at].ticks += low;
      return;
    }
    if (high > 0) slots_.push_back({path | kHigh, high});
    latest_[path] = static_cast<std::uint32_t>(slots_.size());
    slots_.push_back({path, low});
  }

  /// Takes `ticks` away from what `path` got since the last mark, as far as there is.
  void take_back(PathIndex path, Ticks ticks) {
    for (std::size_t i = slots_.size(); i > mark_ && ticks > 0; --i) {
      if ((slots_[i - 1].path & ~kHigh) != path) continue;
      const Ticks there = (*this)[static_cast<LogPosition>(i - 1)].ticks;
      const Ticks taken = std::min(ticks, there);
      set(i - 1, there - taken);
      ticks -= taken;
    }
  }

  /// A position that later entries do not change.
  LogPosition mark() { return mark_ = static_cast<LogPosition>(slots_.size()); }

  LogPosition end() const { return static_cast<LogPosition>(slots_.size()); }
  Entry operator[](LogPosition at) const {
    const Slot& slot = slots_[at];
    return {slot.path & ~kHigh, slot.path & kHigh ? Ticks{slot.ticks} << 32 : Ticks{slot.ticks}};
  }

  /// No more entries will come: gives memory back.
  void finish() {
    latest_ = {};
    slots_.finish();
  }

 private:
  static constexpr PathIndex kHigh = 1u << 31;  // in a path: the ticks count 2^32 each; a slot with the rest follows
  static constexpr std::uint64_t kMostLow = 0xffffffffu;

  struct Slot {
    PathIndex path;
    std::uint32_t ticks;
  };

  // Lessens the ticks of a slot. When some are taken from a high one, those of the slot that follows are gone already.
  void set(std::size_t at, Ticks ticks) {
    const bool is_high = slots_[at].path & kHigh;
    if (is_high && static_cast<std::uint32_t>(ticks) != 0) slots_[at + 1].ticks = static_cast<std::uint32_t>(ticks);
    slots_[at].ticks = static_cast<std::uint32_t>(is_high ? ticks >> 32 : ticks);
  }

  Rows<Slot> slots_;
  std::vector<std::uint32_t> latest_;  // per call path, its latest slot for short times
  LogPosition mark_ = 0;
};

}  // namespace tarry

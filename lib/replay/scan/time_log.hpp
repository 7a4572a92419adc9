// time_log.hpp -- how much time each call path got, in order: the "time vectors" of delay and critical-path analysis.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/arrays/rows.hpp"
#include "base/units.hpp"
#include "replay/trees/call_tree.hpp"

namespace tarry {

/// A place in a TimeLog: everything recorded before it.
using LogPosition = std::uint32_t;

/// Exclusive time of call paths of one thread, as a sequence of (call path, ticks). Between two marks each call path
/// has one entry (or several, if it got more than 2^32 ticks). The time vector of an interval is the sum of the entries
/// between its two positions (Boehme, section 4.2.3). An entry takes 4 bytes if it has less than 2^20 ticks of one of
/// the first 2048 call paths. Any other takes 8 bytes, and a damaged time stamp 16.
class TimeLog {
 public:
  explicit TimeLog(MemoryBudget* budget = nullptr) noexcept : words_(budget) {}

  [[gnu::always_inline]] void add(PathIndex path, Ticks ticks) {
    if (ticks <= 0) return;
    if (path >= latest_.size()) latest_.resize(path + 1, 0);
    if (!add_short(path, ticks)) [[unlikely]]
      add_long(path, ticks);
  }

  /// Takes `ticks` away from what `path` got since the last mark, as far as there is; from the latest first.
  void take_back(PathIndex path, Ticks ticks) {
    std::vector<LogPosition> entries;
    for (LogPosition at = mark_; at < end(); at += width(at))
      if (path_of(at) == path) entries.push_back(at);
    for (auto at = entries.rbegin(); at != entries.rend() && ticks > 0; ++at) {
      const Ticks there = ticks_of(*at);
      const Ticks taken = std::min(ticks, there);
      set(*at, there - taken);
      ticks -= taken;
    }
  }

  /// A position that later entries do not change.
  LogPosition mark() { return mark_ = end(); }

  /// A position that is none in take_back(): what is before it may still grow and shrink.
  LogPosition pin() { return pin_ = end(); }

  LogPosition end() const { return static_cast<LogPosition>(words_.size()); }

  /// Calls visit(path, ticks) for the entries between two positions.
  template <class Visit>
  void for_each(LogPosition begin, LogPosition end, Visit visit) const {
    for (LogPosition at = begin; at < end; ++at) {
      const std::uint32_t word = words_[at];
      if (!(word & kWide)) [[likely]] {
        visit(word >> kTickBits, static_cast<Ticks>(word & kShortTicks));
      } else {
        visit(path_of(at), ticks_of(at));
        ++at;
      }
    }
  }

  /// No more entries will come: gives memory back.
  void finish() {
    latest_ = {};
    words_.finish();
  }

 private:
  // A word: 0, path, ticks; or two: 1, whether the ticks count 2^32 each (an entry with the rest follows), path; ticks.
  static constexpr int kTickBits = 20;
  static constexpr std::uint32_t kShortTicks = (1u << kTickBits) - 1;
  static constexpr PathIndex kShortPaths = 1u << (31 - kTickBits);
  static constexpr std::uint32_t kWide = 1u << 31, kHigh = 1u << 30;
  static constexpr std::uint64_t kMostLow = 0xffffffffu;

  bool is_wide(LogPosition at) const { return words_[at] & kWide; }
  LogPosition width(LogPosition at) const { return is_wide(at) ? 2 : 1; }
  PathIndex path_of(LogPosition at) const {
    return is_wide(at) ? words_[at] & ~(kWide | kHigh) : words_[at] >> kTickBits;
  }
  Ticks ticks_of(LogPosition at) const {
    if (!is_wide(at)) return words_[at] & kShortTicks;
    return words_[at] & kHigh ? Ticks{words_[at + 1]} << 32 : Ticks{words_[at + 1]};
  }

  bool is_since_mark(PathIndex path) const {
    const LogPosition at = latest_[path];
    return at >= mark_ && at < end() && path_of(at) == path;
  }

  // Of the usual kind: to an entry that stays short, or as a new one. False if it is not.
  bool add_short(PathIndex path, Ticks ticks) {
    if (ticks > kShortTicks || path >= kShortPaths) [[unlikely]]
      return false;
    const auto low = static_cast<std::uint32_t>(ticks);
    if (const LogPosition at = latest_[path]; at >= mark_ && at < end()) {
      const std::uint32_t word = words_[at];
      if (word >> kTickBits == path) {
        if ((word & kShortTicks) + low > kShortTicks) return false;
        words_[at] = word + low;
        return true;
      }
      if (is_wide(at) && path_of(at) == path) return false;
    }
    latest_[path] = end();
    words_.push_back(path << kTickBits | low);
    return true;
  }

  void add_long(PathIndex path, Ticks ticks) {
    const auto high = static_cast<std::uint32_t>(ticks >> 32);
    const auto low = static_cast<std::uint32_t>(ticks);
    if (high > 0) push_wide(path | kHigh, high);
    else if (is_since_mark(path) && add_to(latest_[path], low)) return;
    latest_[path] = end();
    if (high == 0 && path < kShortPaths && low <= kShortTicks) words_.push_back(path << kTickBits | low);
    else push_wide(path, low);
  }

  void push_wide(std::uint32_t path, std::uint32_t ticks) {
    words_.push_back(kWide | path);
    words_.push_back(ticks);
  }

  // False if there is no room for so many more.
  bool add_to(LogPosition at, std::uint32_t ticks) {
    const std::uint64_t all = static_cast<std::uint64_t>(ticks_of(at)) + ticks;
    if (!is_wide(at)) {
      if (all <= kShortTicks) {
        words_[at] += ticks;
        return true;
      }
      if (at < pin_) return false;
      widen(at);
    }
    if (all > kMostLow) return false;
    words_[at + 1] = static_cast<std::uint32_t>(all);
    return true;
  }

  // Moves what has come since. There are no positions behind an entry that may still grow, but pins.
  void widen(LogPosition at) {
    const PathIndex path = path_of(at);
    const auto ticks = static_cast<std::uint32_t>(ticks_of(at));
    for (LogPosition later = at + 1; later < end(); later += width(later))
      if (LogPosition& latest = latest_[path_of(later)]; latest == later) latest = later + 1;
    words_.push_back(0);
    std::copy_backward(words_.begin() + at + 1, words_.end() - 1, words_.end());
    words_[at] = kWide | path;
    words_[at + 1] = ticks;
  }

  // Lessens the ticks of an entry. When some are taken from a high one, those of the entry behind it are gone already.
  void set(LogPosition at, Ticks ticks) {
    const auto low = static_cast<std::uint32_t>(ticks);
    if (!is_wide(at)) {
      words_[at] = (words_[at] & ~kShortTicks) | low;
    } else if (words_[at] & kHigh) {
      if (low != 0) words_[at + 3] = low;
      words_[at + 1] = static_cast<std::uint32_t>(ticks >> 32);
    } else {
      words_[at + 1] = low;
    }
  }

  Rows<std::uint32_t> words_;
  std::vector<LogPosition> latest_;  // per call path, its latest entry for low ticks
  LogPosition mark_ = 0;
  LogPosition pin_ = 0;
};

}  // namespace tarry

// barrier_seconds.hpp -- time before OpenMP barriers in floating-point seconds, as the reference analyser adds it up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/arrays/rows.hpp"
#include "base/units.hpp"
#include "defs/definitions.hpp"
#include "replay/trees/call_tree.hpp"
#include "replay/trace_ids.hpp"

namespace tarry {

struct PathSeconds {
  PathIndex path = kNoPath;
  double seconds = 0;
};

/// For each barrier visit of one thread the time of its call paths since the previous barrier, or since the fork if
/// that is later. Like TimeLog it still holds the operation at the start and the waits. Equal numbers of ticks may
/// differ here in the last bits.
class BarrierSeconds {
 public:
  explicit BarrierSeconds(const Clock& clock, MemoryBudget* budget = nullptr)
      : clock_(clock), entries_(budget), ends_(budget) {}

  /// A point in time as the reference analyser has it: since the origin of the clock.
  static double since_origin(const Clock& clock, Ticks time) {
    return static_cast<double>(time - clock.origin) / clock.ticks_per_second;
  }

  /// The thread enters a parallel region. The time since the fork belongs to it.
  void begin_region(PathIndex region, Ticks fork, Ticks enter) {
    is_open_ = true;
    open_.clear();
    last_ = since_origin(clock_, fork);
    credit(region, enter);
  }

  void end_region() { is_open_ = false; }

  /// The thread enters or leaves a region; `path` was the innermost until now. Constant time.
  void credit(PathIndex path, Ticks time) {
    if (!is_open_) return;
    const double now = since_origin(clock_, time);
    entry(path).seconds += now - last_;
    last_ = now;
  }

  /// The thread is about to leave a barrier.
  void end_interval(BarrierIndex barrier) {
    if (!is_open_ || barrier.value < ends_.size()) return;
    while (ends_.size() < barrier.value) ends_.push_back(end());
    entries_.append(open_);
    ends_.push_back(end());
    open_.clear();
  }

  /// Each call path once, in the order in which they got time; empty if nothing is known.
  std::span<const PathSeconds> before(BarrierIndex barrier) const {
    if (barrier.value >= ends_.size()) return {};
    const std::uint32_t begin = barrier.value == 0 ? 0 : ends_[barrier.value - 1];
    return {entries_.begin() + begin, entries_.begin() + ends_[barrier.value]};
  }

  /// No more barriers will come.
  void finish() {
    open_ = {};
    latest_ = {};
    entries_.finish();
    ends_.finish();
  }

 private:
  std::uint32_t end() const { return static_cast<std::uint32_t>(entries_.size()); }

  PathSeconds& entry(PathIndex path) {
    if (path >= latest_.size()) latest_.resize(path + std::size_t{1}, 0);
    std::uint32_t& at = latest_[path];
    if (at >= open_.size() || open_[at].path != path) {
      at = static_cast<std::uint32_t>(open_.size());
      open_.push_back({path, 0});
    }
    return open_[at];
  }

  const Clock& clock_;
  double last_ = 0;  // Enter or Leave
  bool is_open_ = false;
  std::vector<PathSeconds> open_;      // of the interval that has not ended
  std::vector<std::uint32_t> latest_;  // per call path, its latest entry there
  Rows<PathSeconds> entries_;
  Rows<std::uint32_t> ends_;  // per barrier, in entries_
};

}  // namespace tarry

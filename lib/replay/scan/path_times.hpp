// path_times.hpp -- which call paths the time of one thread goes to, while its events are read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/units.hpp"
#include "replay/logical_rank.hpp"
#include "replay/trees/call_tree.hpp"

namespace tarry {

/// Credits call paths of a LogicalThread with time: in its sums, in its log and, where they are kept, in its seconds.
/// Hidden, as all parts of ThreadScan are.
class [[gnu::visibility("hidden")]] PathTimes {
 public:
  explicit PathTimes(LogicalThread & thread) : thread_(thread) {}

  /// The first event happens at that time.
  void begin(Ticks time) { thread_.first_time = credited_ = time; }

  /// All time before it has found its call path. Grows up to the last event.
  Ticks credited() const { return credited_; }

  /// The time since then belongs to `path`, the one that was current. A worker outside its parallel regions has none
  /// (kNoPath).
  void credit(PathIndex path, Ticks time) {
    if (time <= credited_) return;
    if (thread_.selected) [[unlikely]]
      return credit_selected(path, time);
    if (path != kNoPath) {
      thread_.time[path] += time - credited_;
      thread_.log.add(path, time - credited_);
    }
    credited_ = time;
  }

  /// As credit(), but there is a path, and no part of the trace is selected.
  void credit_open(PathIndex path, Ticks time) {
    if (time <= credited_) return;
    thread_.time[path] += time - credited_;
    thread_.log.add(path, time - credited_);
    credited_ = time;
  }

  /// Credits `path` in floating-point seconds, where these are kept: inside parallel regions.
  void credit_seconds(PathIndex path, Ticks time) {
    if (thread_.barrier_seconds && path != kNoPath) thread_.barrier_seconds->credit(path, time);
  }

  /// `ticks` of `from` (kNoPath: of no call path) belong to `to` after all; so many of them count.
  void move(PathIndex from, PathIndex to, Ticks ticks, Ticks counted);

  /// Whether time of a fork or a join has not found its call path yet. It must be left where it is in the log.
  bool is_moving() const { return is_moving_; }
  void set_moving(bool is_moving) { is_moving_ = is_moving; }

  /// Before a path gets visits or time.
  [[gnu::always_inline]] void make_room(PathIndex path) {
    if (path >= thread_.time.size()) [[unlikely]]
      make_more_room(path);
  }

  /// In [begin, end) a path was blocked, or was not after all.
  void add_blocked(PathIndex path, Ticks begin, Ticks end);
  void take_blocked(PathIndex path, Ticks begin, Ticks end) {
    thread_.blocked_time[path] -= thread_.counted(begin, end);
  }

  /// Borders of the selected part before `time` become positions of the log; the time until there belongs to `path`.
  void cut_log(PathIndex path, Ticks time);

  /// No more events will come: gives memory back.
  void finish();

 private:
  static constexpr std::size_t kUsualPaths = 16;

  void credit_selected(PathIndex path, Ticks time);
  void make_more_room(PathIndex path);

  LogicalThread& thread_;
  Ticks credited_ = 0;
  bool is_moving_ = false;
};

}  // namespace tarry

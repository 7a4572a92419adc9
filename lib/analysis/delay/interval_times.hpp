// interval_times.hpp -- time per call path between two synchronisation points, without waiting.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "analysis/delay/capped_times.hpp"
#include "analysis/delay/delay_context.hpp"

namespace tarry {

/// Ticks of a unified call path.
struct PathTime {
  PathIndex path;
  Ticks time;
};
/// A time vector: sorted by path, no zeros.
using PathTimes = std::vector<PathTime>;

Ticks total_of(const PathTimes& times);

/// A time vector while it is added up: one place for each unified call path, and which of them are in use. Of the first
/// 64 call paths a bit tells that: most programs have no more, and need neither a list nor a sort.
class TimeVector {
 public:
  /// `time` may be negative. What is below 0 in the end counts as 0.
  void add(PathIndex path, Ticks time) {
    if (path >= times_.size()) [[unlikely]]
      make_room(path);
    note(path, first_paths_);
    times_[path] += time;
  }

  /// Adds what for_each(visit) passes to visit(path, time): all paths are below `path_count`.
  template <class ForEach>
  void add_all(PathIndex path_count, ForEach for_each) {
    if (path_count > times_.size()) [[unlikely]]
      make_room(path_count - 1);
    std::uint64_t first_paths = first_paths_;  // stays in a register
    Ticks* const times = times_.data();
    for_each([&](PathIndex path, Ticks time) {
      note(path, first_paths);
      times[path] += time;
    });
    first_paths_ = first_paths;
  }

  Ticks operator[](PathIndex path) const { return path < times_.size() ? std::max<Ticks>(0, times_[path]) : 0; }

  void clear() {
    for (std::uint64_t left = first_paths_; left != 0; left &= left - 1) times_[lowest(left)] = 0;
    for (const PathIndex path : other_paths_) times_[path] = 0;
    first_paths_ = 0;
    other_paths_.clear();
  }

  /// Afterwards the vector is empty.
  void move_to(PathTimes& into);

 private:
  static constexpr PathIndex kFirstPaths = 64;

  static PathIndex lowest(std::uint64_t paths) { return static_cast<PathIndex>(std::countr_zero(paths)); }
  void note(PathIndex path, std::uint64_t& first_paths) {
    if (path < kFirstPaths) [[likely]]
      first_paths |= std::uint64_t{1} << path;
    else if (times_[path] == 0) other_paths_.push_back(path);
  }
  void make_room(PathIndex path) { times_.resize(std::max<std::size_t>(path + 1, kFirstPaths), 0); }

  std::vector<Ticks> times_;
  std::uint64_t first_paths_ = 0;       // a bit for each of them that is in use
  std::vector<PathIndex> other_paths_;  // some twice: those that were back at 0 for a while
};

/// into(c) = max(0, cause(c) - waiter(c)).
void difference(const PathTimes& cause, const TimeVector& waiter, PathTimes& into);

/// Memory that time vectors, also of several threads, are computed in one after another; one for each worker.
struct IntervalScratch {
  CappedTimes part, whole;  // of one snapshot interval, and of several
  TimeVector times;         // empty between uses
};

/// Computes the time vectors of one thread.
class IntervalTimes {
 public:
  IntervalTimes(const DelayContext& context, RankIndex rank, ThreadIndex thread, IntervalScratch& scratch)
      : IntervalTimes(context, rank, thread, scratch, context.tree.to_unified[rank],
                      static_cast<PathIndex>(context.tree.tree.size())) {}

  /// By other call paths than those of all processes: what each of the process's own is one of, and their number.
  IntervalTimes(const DelayContext& context, RankIndex rank, ThreadIndex thread, IntervalScratch& scratch,
                const std::vector<PathIndex>& to_paths, PathIndex path_count)
      : thread_(context.trace.ranks()[rank].threads[thread]),
        points_(context.sync[rank][thread]),
        to_unified_(to_paths),
        unified_paths_(path_count),
        is_capped_(context.compatibility.caps_time_vectors()),
        scratch_(scratch),
        counted_waits_(context.counted_waits(rank, thread)) {}

  /// Between positions of the time log, as recorded; only what is in the selected part of the trace.
  PathTimes raw(LogPosition begin, LogPosition end);

  /// Between two sync points, selected or not, without the waits in between. Of the operation at `first` only the
  /// completion counts (docs/METRICS.md, "Synchronisation interval"). If there is no `first`, since the thread began.
  /// `into` is empty before. Returns the sum of the waits strictly in between.
  Ticks add_pruned(SyncIndex first, SyncIndex last, TimeVector& into) const;

  /// The same since the latest sync point before `last` that `is_start` accepts: it becomes `first`. If there is none,
  /// it becomes none, and `into` stays empty.
  template <class IsStart>
  Ticks add_pruned_since(IsStart is_start, SyncIndex last, TimeVector& into, SyncIndex& first) const {
    Ticks waits = 0;
    for (SyncIndex at = last; at.value-- > 0;) {
      const SyncPoint& point = points_.points[at];
      if (is_start(point)) {
        add_operations(first = at, last, into);
        return waits;
      }
      waits += subtract_wait(point, into);
    }
    into.clear();
    first = SyncIndex();
    return 0;
  }

  /// Between two positions, without waits, and only in the selected part of the trace. The sync points in between are
  /// those from `first_point` on, without `end_point`.
  PathTimes without_waits(LogPosition begin, LogPosition end, SyncIndex first_point, SyncIndex end_point);

  /// The thread's parallel regions from their start to their last barrier, without waits, as far as selected.
  PathTimes up_to_last_barriers();

  /// The sync point that follows one; the first one if there is none.
  static SyncIndex after(SyncIndex point) { return SyncIndex(point.value + 1); }

 private:
  void add(LogPosition begin, LogPosition end, TimeVector& into) const;
  void add_selected(LogPosition begin, LogPosition end);
  void add_capped(LogPosition begin, LogPosition end, TimeVector& into) const;
  void add_operations(SyncIndex first, SyncIndex last, TimeVector& into) const;
  Ticks subtract_wait(const SyncPoint& point, TimeVector& into) const {
    if (point.wait <= 0) return 0;
    subtract(point.path, point.wait, into);
    return point.wait;
  }
  void subtract(PathIndex path, Ticks time, TimeVector& into) const {  // not every sync point has a call path
    if (path < to_unified_.size()) into.add(to_unified_[path], -time);
  }
  void subtract_counted_waits(SyncIndex first_point, SyncIndex end_point);
  PathTimes take();

  const LogicalThread& thread_;
  const SyncPoints& points_;
  const std::vector<PathIndex>& to_unified_;
  const PathIndex unified_paths_;  // their number
  const bool is_capped_;
  IntervalScratch& scratch_;
  const ThreadCountedWaits* const counted_waits_;  // nullptr: all of them
};

}  // namespace tarry

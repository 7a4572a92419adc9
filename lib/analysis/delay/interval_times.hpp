// interval_times.hpp -- time per call path between two synchronisation points, without waiting.
#pragma once

#include <vector>

#include "analysis/delay/delay_context.hpp"
#include "analysis/delay/time_vector.hpp"

namespace tarry {

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

/// The part of a thread's time in which it was apart from a process.
struct Apart {
  SyncIndex since{};  // none: a thread other than the master has met no one since it began
  Ticks waits = 0;    // after that
};

/// Before sync point `before`. Its time vector, without the waits, goes into `times`, which is empty before.
Apart time_apart(const DelayContext& context, const SyncRef& before, RankIndex partner, IntervalScratch& scratch,
                 TimeVector& times);

/// Since when a master and a process have been apart that have not synchronised. Those of one world have met in
/// MPI_Init, its first sync point; one of another world may have begun later.
SyncIndex begin_with(const DelayContext& context, const SyncRef& before, RankIndex partner);

}  // namespace tarry

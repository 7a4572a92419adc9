// interval_times.hpp -- time per call path between two synchronisation points, without waiting.
#pragma once

#include <algorithm>
#include <vector>

#include "analysis/delay/capped_times.hpp"
#include "analysis/sync_points/sync_points.hpp"
#include "replay/unified_tree.hpp"

namespace tarry {

/// Ticks per unified call path; sorted by path, no zeros.
struct PathTime {
  PathIndex path;
  Ticks time;
};
using PathTimes = std::vector<PathTime>;

Ticks total_of(const PathTimes& times);

/// into(c) = max(0, cause(c) - waiter(c)).
void difference(const PathTimes& cause, const PathTimes& waiter, PathTimes& into);

/// Memory that time vectors, also of several threads, are computed in one after another; one for each worker.
struct IntervalScratch {
  CappedTimes part, whole;         // of one snapshot interval, and of several
  std::vector<Ticks> times;        // per local path, and some more; all 0 between uses
  std::vector<PathIndex> touched;  // paths with an entry in `times`
};

/// Computes the time vectors of one thread.
class IntervalTimes {
 public:
  IntervalTimes(const LogicalThread& thread, const SyncPoints& points, const std::vector<PathIndex>& to_unified,
                bool is_capped, IntervalScratch& scratch, const std::vector<Ticks>* counted_waits = nullptr)
      : thread_(thread),
        points_(points),
        to_unified_(to_unified),
        is_capped_(is_capped),
        scratch_(scratch),
        counted_waits_(counted_waits) {
    if (scratch_.times.size() < to_unified.size()) scratch_.times.resize(to_unified.size(), 0);
  }

  /// Between positions of the time log, as recorded; only what is in the selected part of the trace.
  PathTimes raw(LogPosition begin, LogPosition end);

  /// Between two sync points, selected or not: waits in between are taken out, and of the operation at `first` only
  /// its completion stays (docs/METRICS.md, "Synchronisation interval"). If `first` is kNone32, since the thread began.
  /// There are as many of these as waits: they go into a vector that is used again.
  void pruned(SyncIndex first, SyncIndex last, PathTimes& into);

  /// Between two positions, where the sync points `first_point` up to and without `end_point` lie: without their waits;
  /// only what is in the selected part of the trace.
  PathTimes without_waits(LogPosition begin, LogPosition end, SyncIndex first_point, SyncIndex end_point);

  /// The thread's parallel regions from their start to their last barrier, without waits, as far as selected.
  PathTimes up_to_last_barriers();

  /// Sum of the waits strictly between two sync points; of all before `last` if `first` is kNone32.
  Ticks waits_between(SyncIndex first, SyncIndex last) const;

  /// The sync point that follows one, or the begin of the thread (kNone32).
  static SyncIndex after(SyncIndex point) { return point == kNone32 ? 0 : point + 1; }

 private:
  void add(LogPosition begin, LogPosition end);
  void add_selected(LogPosition begin, LogPosition end);
  void add_capped(LogPosition begin, LogPosition end);
  void add_time(PathIndex path, Ticks time) {
    if (scratch_.times[path] == 0) scratch_.touched.push_back(path);
    scratch_.times[path] += time;
  }
  void subtract(PathIndex path, Ticks time) {  // not every sync point has a call path
    if (path < scratch_.times.size()) scratch_.times[path] -= std::min(time, scratch_.times[path]);
  }
  void subtract_waits(SyncIndex first_point, SyncIndex end_point);
  void subtract_counted_waits(SyncIndex first_point, SyncIndex end_point);
  void take(PathTimes& into);
  PathTimes take();

  const LogicalThread& thread_;
  const SyncPoints& points_;
  const std::vector<PathIndex>& to_unified_;
  const bool is_capped_;
  IntervalScratch& scratch_;
  const std::vector<Ticks>* const counted_waits_;  // per sync point; nullptr: all of them
};

/// The latest sync point before `before` whose partners include the process at `partner`; kNone32 if there is none.
SyncIndex find_start(const Trace& trace, const SyncPoints& points, SyncIndex before, std::uint32_t partner);

}  // namespace tarry

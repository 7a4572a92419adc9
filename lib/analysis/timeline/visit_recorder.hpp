// visit_recorder.hpp -- the visits of one process, as bins and as single calls in windows.
#pragma once

#include <vector>

#include "analysis/timeline/row_bins.hpp"
#include "replay/trace_ids.hpp"

namespace tarry {

/// The calls of a row in a window: the longest, if there are too many.
class KeptCalls {
 public:
  explicit KeptCalls(std::size_t most) : most_(most) {}

  void add(const TimelineCall& call);

  /// Those that were kept, in order of time, outer before inner. To be called once.
  std::vector<TimelineCall> take();
  std::uint64_t left_out() const { return left_out_; }

 private:
  void drop_shortest();

  std::size_t most_;
  std::uint64_t left_out_ = 0;
  std::vector<TimelineCall> calls_;
};

/// Where the visits of a process go.
struct VisitTargets {
  const RunTimeline& timeline;                 // classes and windows
  const std::vector<PathIndex>& to_unified;    // of the process
  std::vector<TimelineRow> rows;               // [thread]
  std::vector<RowBins>& bins;                  // [thread]
  std::vector<std::vector<KeptCalls>>& calls;  // [thread][window]
};

/// Hears of the visits of each thread in order of time.
class VisitRecorder {
 public:
  explicit VisitRecorder(const VisitTargets& targets);

  void enter(ThreadIndex thread, PathIndex path, Ticks time);
  void leave(ThreadIndex thread, Ticks time);

  /// What a queue has executed, in order of its begin. Several may have run at once.
  void executed(ThreadIndex queue, PathIndex path, Ticks begin, Ticks end);

 private:
  struct Open {
    PathIndex path;
    Ticks enter;
  };
  struct OfThread {
    std::vector<Open> open;
    Ticks last = 0;
  };
  void credit(OfThread& thread, ThreadIndex number, Ticks& time);
  void keep(ThreadIndex thread, const TimelineCall& call);

  const VisitTargets targets_;
  Ticks first_ = 0, last_ = 0;  // that any window has
  std::vector<OfThread> threads_;
};

}  // namespace tarry

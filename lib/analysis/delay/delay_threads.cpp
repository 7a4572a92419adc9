// delay_threads.cpp -- the delays behind waits in OpenMP barriers.
//
// The thread that enters a barrier last is the cause; the others wait for it. Both have been apart since their previous
// OpenMP sync point: the start of the parallel region or the last barrier. Source: docs/METRICS.md, "OpenMP costs".
#include <algorithm>

#include "analysis/delay/delay_instances.hpp"
#include "analysis/delay/rounded_times.hpp"

namespace tarry {
namespace {

class ThreadDelays {
 public:
  ThreadDelays(const DelayContext& context, std::uint32_t rank, DelayInstances& into)
      : context_(context), rank_index_(rank), rank_(context.trace.ranks()[rank]), into_(into) {
    for (std::size_t t = 0; t < rank_.threads.size(); ++t) times_.emplace_back(context, rank, t, scratch_);
  }

  void run() {
    for (std::uint16_t t = 0; t < rank_.threads.size(); ++t) {
      const Rows<SyncPoint>& points = context_.sync[rank_index_][t].points;
      for (SyncIndex at = 0; at < points.size(); ++at)
        if (points[at].kind == SyncKind::kThreadBarrier && points[at].wait > 0) add(t, at);
    }
  }

 private:
  SyncIndex previous_thread_point(std::size_t thread, SyncIndex before) const {
    const Rows<SyncPoint>& points = context_.sync[rank_index_][thread].points;
    for (SyncIndex at = before; at-- > 0;)
      if (points[at].kind == SyncKind::kThreadBarrier || points[at].kind == SyncKind::kFork) return at;
    return 0;
  }

  void add(std::uint16_t thread, SyncIndex at) {
    const SyncPoint& wait = context_.sync[rank_index_][thread].points[at];
    const std::uint16_t last = wait.cause_thread;
    const SyncIndex cause = wait.cause_point;
    const SyncIndex start = previous_thread_point(last, cause);
    DelayInstance instance;
    instance.propagating = times_[last].add_pruned(start, cause, times_in_cause_);
    times_in_cause_.move_to(cause_times_);
    times_[thread].add_pruned(previous_thread_point(thread, at), at, waiter_times_);
    difference(cause_times_, waiter_times_, excess_);
    waiter_times_.clear();
    instance.waiter = {rank_index_, thread, at};
    instance.cause = {rank_index_, last, cause};
    instance.kind = WaitKind::kThreadBarrier;
    instance.first_wait = start + 1;
    if (context_.compatibility.rounds_times_of_threads() && excess_.empty() && instance.propagating == 0)
      rounding_excess(times_of(last, start, cause), times_of(thread, previous_thread_point(thread, at), at), excess_);
    append(context_, into_, instance, excess_);
  }

  RoundedTimes times_of(std::size_t thread, SyncIndex first, SyncIndex last) const {
    return rounded_times(context_.trace.definitions().clock, rank_.threads[thread], context_.sync[rank_index_][thread],
                         context_.tree.to_unified[rank_index_], first, last);
  }

  const DelayContext& context_;
  const std::uint32_t rank_index_;
  const LogicalRank& rank_;
  DelayInstances& into_;
  IntervalScratch scratch_;
  std::vector<IntervalTimes> times_;          // per thread
  TimeVector times_in_cause_, waiter_times_;  // of the wait being looked at
  PathTimes cause_times_, excess_;
};

}  // namespace

void find_thread_delays(const DelayContext& context, std::uint32_t rank, DelayInstances& into) {
  if (context.trace.ranks()[rank].threads.size() > 1) ThreadDelays(context, rank, into).run();
}

}  // namespace tarry

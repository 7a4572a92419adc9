// delay_threads.cpp -- the delays behind waits in OpenMP barriers.
//
// The thread that enters a barrier last is the cause; the others wait for it. Both have been apart since the previous
// sync point of their team: the start of the parallel region or the last barrier. Teams that a thread has forked since
// are part of its work, and its waits in their barriers pass costs on. Source: docs/METRICS.md, "OpenMP costs".
#include <algorithm>

#include "analysis/delay/delay_instances.hpp"
#include "analysis/delay/time_rounding.hpp"

namespace tarry {
namespace {

class ThreadDelays {
 public:
  ThreadDelays(const DelayContext& context, RankIndex rank, DelayInstances& into)
      : context_(context), rank_index_(rank), rank_(context.trace.ranks()[rank]), into_(into) {
    for (const ThreadIndex t : rank_.threads.ids()) times_.emplace_back(context, rank, t, scratch_);
  }

  void run() {
    for (const ThreadIndex t : rank_.threads.ids()) {
      const auto& points = context_.sync[rank_index_][t].points;
      for (const SyncIndex at : points.ids())
        if (points[at].kind == SyncKind::kThreadBarrier && points[at].wait > 0) add(t, at);
    }
  }

 private:
  // Not valid for sync points that are not those of a team.
  ForkIndex team_of(ThreadIndex thread, SyncIndex at) const {
    const SyncPoint& point = context_.sync[rank_index_][thread].points[at];
    const BarrierIndex barrier = point.barrier();
    return barrier.is_valid() ? rank_.threads[thread].barriers[barrier].fork : point.fork();
  }

  // Teams that were forked later than that of `before` lie within it.
  SyncIndex previous_thread_point(ThreadIndex thread, SyncIndex before) const {
    const Ticks fork_time = rank_.forks[team_of(thread, before)].fork_time;
    for (SyncIndex at = before; at.value-- > 0;)
      if (const ForkIndex team = team_of(thread, at); team.is_valid() && rank_.forks[team].fork_time <= fork_time)
        return at;
    return SyncIndex(0);
  }

  void add(ThreadIndex thread, SyncIndex at) {
    const SyncPoint& wait = context_.sync[rank_index_][thread].points[at];
    const ThreadIndex last = wait.cause_thread;
    const SyncIndex cause = wait.cause_point;
    const SyncIndex start = previous_thread_point(last, cause);
    DelayInstance instance;
    instance.propagating = times_[last].add_pruned(start, cause, times_in_cause_);
    times_in_cause_.move_to(cause_times_);
    times_[thread].add_pruned(previous_thread_point(thread, at), at, waiter_times_);
    difference(cause_times_, waiter_times_, excess_);
    waiter_times_.clear();
    instance.waiter = {rank_index_, thread, at};
    instance.cause = wait.cause();
    instance.kind = WaitKind::kThreadBarrier;
    instance.first_wait = IntervalTimes::after(start);
    if (context_.compatibility.rounds_times_of_threads() && excess_.empty() && instance.propagating == 0)
      rounding_excess(times_of(last, start, cause), times_of(thread, previous_thread_point(thread, at), at), excess_);
    append(context_, into_, instance, excess_);
  }

  RoundedTimes times_of(ThreadIndex thread, SyncIndex first, SyncIndex last) const {
    return rounded_times(context_.trace.definitions().clock, rank_.threads[thread], context_.sync[rank_index_][thread],
                         context_.tree.to_unified[rank_index_], first, last);
  }

  const DelayContext& context_;
  const RankIndex rank_index_;
  const LogicalRank& rank_;
  DelayInstances& into_;
  IntervalScratch scratch_;
  Indexed<ThreadIndex, std::vector<IntervalTimes>> times_;
  TimeVector times_in_cause_, waiter_times_;  // of the wait being looked at
  PathTimes cause_times_, excess_;
};

}  // namespace

void find_thread_delays(const DelayContext& context, RankIndex rank, DelayInstances& into) {
  if (context.trace.ranks()[rank].threads.size() > 1) ThreadDelays(context, rank, into).run();
}

}  // namespace tarry

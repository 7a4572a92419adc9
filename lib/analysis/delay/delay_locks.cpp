// delay_locks.cpp -- the delays behind waits for locks that another thread of the process holds.
//
//   holder   m.[ does more ][ critical ### ]R           m: where the two last met
//   waiter   m.[ f ]E[ critical ==========|.acquired    delay: what the holder did more from m to R than it to E
//
// Two threads meet at a fork or barrier of their team. They meet where one hands a lock to the other, which has waited
// for it, and where one creates the other. The latest of these counts. Source: docs/METRICS.md, "Costs of locks".
#include <algorithm>
#include <compare>

#include "analysis/delay/delay_instances.hpp"

namespace tarry {
namespace {

// Since when threads of one process have been apart.
class Meetings {
 public:
  explicit Meetings(const ThreadSyncPoints& threads)
      : of_all_(rows_of<SyncIndex>(threads.size(), threads[kMaster].points.budget())),
        of_two_(rows_of<Meeting>(threads.size(), threads[kMaster].points.budget())) {
    for (const ThreadIndex t : threads.ids()) {
      const auto& points = threads[t].points;
      SyncIndex latest;
      of_all_[t].resize(points.size());
      for (const SyncIndex at : points.ids()) {
        of_all_[t][at.value] = latest;
        if (is_of_all(points[at])) latest = at;
        add(t, at, points[at]);
      }
    }
    for (Rows<Meeting>& of_thread : of_two_) std::sort(of_thread.begin(), of_thread.end());
  }

  // The latest sync point of `thread` before `before` that it shares with `other`; none: not since its begin.
  SyncIndex latest(ThreadIndex thread, SyncIndex before, ThreadIndex other) const {
    const SyncIndex with_all = of_all_[thread][before.value];
    const Rows<Meeting>& met = of_two_[thread];
    const Meeting* next = std::lower_bound(met.begin(), met.end(), Meeting{other, before});
    if (next == met.begin() || next[-1].other != other) return with_all;
    return with_all.is_valid() ? std::max(with_all, next[-1].at) : next[-1].at;
  }

 private:
  struct Meeting {
    ThreadIndex other;
    SyncIndex at;

    auto operator<=>(const Meeting&) const = default;
  };

  // Before its begin a thread has done nothing that could be compared with anybody.
  static bool is_of_all(const SyncPoint& point) {
    return point.kind == SyncKind::kFork || point.kind == SyncKind::kThreadBarrier ||
           (point.kind == SyncKind::kThreadStart && point.cause_point.is_valid());
  }

  void add(ThreadIndex t, SyncIndex at, const SyncPoint& point) {
    if (is_hand_over(point.kind) && point.wait > 0) {
      of_two_[t].push_back({point.cause_thread, at});
      of_two_[point.cause_thread].push_back({t, point.cause_point});
    }
    if (point.with.kind() == Counterpart::Kind::kThread) of_two_[t].push_back({point.with.thread(), at});
  }

  Indexed<ThreadIndex, std::vector<Rows<SyncIndex>>> of_all_;  // for each sync point: the latest before it
  Indexed<ThreadIndex, std::vector<Rows<Meeting>>> of_two_;    // by the other one
};

class LockDelays {
 public:
  LockDelays(const DelayContext& context, RankIndex rank, DelayInstances& into)
      : context_(context), rank_(rank), into_(into), meetings_(context.sync[rank]) {
    for (const ThreadIndex t : context.trace.ranks()[rank].threads.ids())
      times_.emplace_back(context, rank, t, scratch_);
  }

  void run() {
    for (const ThreadIndex t : times_.ids()) {
      const auto& points = context_.sync[rank_][t].points;
      for (const SyncIndex at : points.ids())
        if (is_hand_over(points[at].kind) && points[at].wait > 0) add(t, at, points[at]);
    }
  }

 private:
  void add(ThreadIndex thread, SyncIndex at, const SyncPoint& wait) {
    DelayInstance instance;
    instance.waiter = {rank_, thread, at};
    instance.cause = wait.cause();
    instance.kind = wait_kind(wait.kind);
    instance.first_wait = wait.cause_point;
    excess_.clear();
    // Who waits for what it did itself is not compared: the operation is charged.
    if (wait.cause_thread != thread) compare(instance);
    append(context_, into_, instance, excess_);
  }

  void compare(DelayInstance& instance) {
    const SyncRef& cause = instance.cause;
    const SyncRef& waiter = instance.waiter;
    const SyncIndex start = meetings_.latest(cause.thread, cause.point, waiter.thread);
    const SyncIndex waiter_start = meetings_.latest(waiter.thread, waiter.point, cause.thread);
    instance.propagating = times_[cause.thread].add_pruned(start, cause.point, times_in_cause_);
    times_in_cause_.move_to(cause_times_);
    times_[waiter.thread].add_pruned(waiter_start, waiter.point, waiter_times_);
    difference(cause_times_, waiter_times_, excess_);
    waiter_times_.clear();
    instance.first_wait = IntervalTimes::after(start);
  }

  const DelayContext& context_;
  const RankIndex rank_;
  DelayInstances& into_;
  const Meetings meetings_;
  IntervalScratch scratch_;
  Indexed<ThreadIndex, std::vector<IntervalTimes>> times_;
  TimeVector times_in_cause_, waiter_times_;  // of the wait being looked at
  PathTimes cause_times_, excess_;
};

}  // namespace

void find_lock_delays(const DelayContext& context, RankIndex rank, DelayInstances& into) {
  if (have_locks(context.sync[rank])) LockDelays(context, rank, into).run();
}

}  // namespace tarry

// omp_wait_at_barrier.cpp -- waiting time in OpenMP barriers until the last thread of the team is ready.
//
//   thread 0   E==== waits ====|..L        wait_0 = E_1 - E_0
//   thread 1                   E..L
//
// A thread is ready when it enters. If it executes tasks in the barrier, it is when the last of them ends (R), and does
// not wait in them:
//
//   thread 0   E==[ task ]R====|..L        wait_0 = R_1 - E_0 - task
//   thread 1        E=[  task  ]R.L
//
// The k-th barrier of a team is the same for all its threads. Some recorders number the teams of each fork anew: then
// the numbers distinguish nested teams. Otherwise a team is that of the latest fork of the master.
//
// Needs: enter of the barrier on every thread, and what threads do inside. Leaves: RankWaits::barriers. Source:
// docs/METRICS.md, "Wait at Barrier" of OpenMP.
#include <algorithm>

#include "analysis/waits/pattern.hpp"

namespace tarry {
namespace {

// The k-th barrier of a team.
std::uint64_t key_of_barrier(std::uint64_t team, std::uint32_t k) { return (team << 32) | k; }

struct LastThread {
  Ticks ready = 0;
  ThreadIndex thread{};
  BarrierIndex barrier{};
};

// Calls visit(barrier, its index, key) for the barriers of a thread that lie inside parallel regions.
template <class Visit>
void for_each_barrier(const LogicalThread& thread, bool by_fork, Visit visit) {
  FlatMap<std::uint64_t, std::uint32_t> seen;  // barriers so far, by team
  for (const BarrierIndex i : thread.barriers.ids()) {
    const ThreadBarrier& barrier = thread.barriers[i];
    if (!barrier.fork.is_valid()) continue;
    const std::uint64_t team = by_fork ? barrier.fork.value : barrier.team;
    visit(barrier, i, key_of_barrier(team, seen.insert(team, 0)++));
  }
}

// The last thread at each barrier of a process.
FlatMap<std::uint64_t, LastThread> find_last_threads(const RankContext& context) {
  const auto& threads = context.rank.threads;
  FlatMap<std::uint64_t, LastThread> last_of;
  for (const ThreadIndex t : threads.ids())
    for_each_barrier(threads[t], context.rank.repeats_teams,
                     [&](const ThreadBarrier& barrier, BarrierIndex i, std::uint64_t key) {
                       const LastThread candidate{context.compatibility.ready_in(barrier), t, i};
                       LastThread& last = last_of.insert(key, candidate);
                       if (candidate.ready > last.ready) last = candidate;
                     });
  return last_of;
}

// The wait of a thread that is at a barrier. The last one has nobody to wait for.
BarrierWait wait_of(const ThreadBarrier& barrier, bool is_last, const LastThread& last,
                    const Compatibility& compatibility) {
  const Ticks wait = is_last ? 0 : last.ready - barrier.enter - compatibility.work_in(barrier);
  return {.wait = wait, .begin = last.ready - wait, .last_barrier = last.barrier, .last_thread = last.thread};
}

void book_barrier_wait(const RankContext& context, ThreadIndex t, const ThreadBarrier& barrier,
                       const BarrierWait& wait) {
  const PathIndex path = context.rank.threads[wait.last_thread].barriers[wait.last_barrier].path;
  context.book_wait({.metric = barrier.is_explicit ? Metric::kOmpExplicitBarrierWait : Metric::kOmpImplicitBarrierWait,
                     .thread = t,
                     .path = barrier.path,
                     .enter = context.compatibility.ready_in(barrier),
                     .exit = barrier.leave,
                     .begin = wait.begin,
                     .wait = wait.wait,
                     .full_wait = wait.wait,
                     .cause = {.rank = context.rank_index(), .thread = wait.last_thread, .path = path}});
}

}  // namespace

void omp_wait_at_barrier(const RankContext& context) {
  const auto& threads = context.rank.threads;
  if (std::ranges::all_of(threads, [](const LogicalThread& thread) { return thread.barriers.empty(); })) return;
  const FlatMap<std::uint64_t, LastThread> last_of = find_last_threads(context);
  context.waits.barriers.resize(threads.size());
  for (const ThreadIndex t : threads.ids()) {
    auto& waits = context.waits.barriers[t];
    waits = Rows<BarrierWait>(threads[t].barriers.budget());
    waits.resize(threads[t].barriers.size());
    for_each_barrier(threads[t], context.rank.repeats_teams,
                     [&](const ThreadBarrier& barrier, BarrierIndex i, std::uint64_t key) {
                       const LastThread& last = *last_of.find(key);
                       const bool is_last = last.thread == t && last.barrier == i;
                       waits[i] = wait_of(barrier, is_last, last, context.compatibility);
                       if (waits[i].wait > 0) book_barrier_wait(context, t, barrier, waits[i]);
                     });
    waits.finish();
  }
}

}  // namespace tarry

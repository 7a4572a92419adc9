// omp_wait_at_barrier.cpp -- waiting time in OpenMP barriers until the last thread of the team enters.
//
//   thread 0   E==== waits ====|..L        wait_0 = E_1 - E_0
//   thread 1                   E..L
//
// The k-th barrier of a team is the same for all its threads. Where teams are numbered anew for each fork, nested teams
// are told apart by their numbers; else a team is that of the latest fork of the master.
//
// Needs: enter of the barrier on every thread. Leaves: RankWaits::barriers. Source:
// docs/METRICS.md, "Wait at Barrier" of OpenMP.
#include <algorithm>

#include "analysis/waits/pattern.hpp"

namespace tarry {
namespace {

// The k-th barrier of a team.
std::uint64_t key_of(std::uint64_t team, std::uint32_t k) { return (team << 32) | k; }

struct LastThread {
  Ticks enter = 0;
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
    visit(barrier, i, key_of(team, seen.insert(team, 0)++));
  }
}

}  // namespace

void omp_wait_at_barrier(const RankContext& context) {
  const auto& threads = context.rank.threads;
  if (std::ranges::all_of(threads, [](const LogicalThread& thread) { return thread.barriers.empty(); })) return;
  const bool by_fork = context.rank.repeats_teams;
  FlatMap<std::uint64_t, LastThread> last_of;
  for (const ThreadIndex t : threads.ids())
    for_each_barrier(threads[t], by_fork, [&](const ThreadBarrier& barrier, BarrierIndex i, std::uint64_t key) {
      const LastThread candidate{barrier.enter, t, i};
      LastThread& last = last_of.insert(key, candidate);
      if (candidate.enter > last.enter) last = candidate;
    });
  context.waits.barriers.resize(threads.size());
  for (const ThreadIndex t : threads.ids()) {
    auto& waits = context.waits.barriers[t];
    waits = Rows<BarrierWait>(threads[t].barriers.budget());
    waits.resize(threads[t].barriers.size());
    for_each_barrier(threads[t], by_fork, [&](const ThreadBarrier& barrier, BarrierIndex i, std::uint64_t key) {
      const LastThread& last = *last_of.find(key);
      const Ticks wait = last.enter - barrier.enter;
      waits[i] = {.wait = wait, .last_barrier = last.barrier, .last_thread = last.thread};
      const Metric metric = barrier.is_explicit ? Metric::kOmpExplicitBarrierWait : Metric::kOmpImplicitBarrierWait;
      const WaitCause cause{.rank = context.rank_index(), .thread = last.thread,
                            .path = threads[last.thread].barriers[last.barrier].path};
      if (wait > 0)
        context.book_wait({.metric = metric, .thread = t, .path = barrier.path,
                           .enter = barrier.enter, .exit = barrier.leave, .begin = barrier.enter, .wait = wait,
                           .full_wait = wait, .cause = cause});
    });
    waits.finish();
  }
}

}  // namespace tarry

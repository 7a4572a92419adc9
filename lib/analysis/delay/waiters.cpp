// waiters.cpp -- who waited for each process.
#include "analysis/delay/waiters.hpp"

#include <atomic>

#include "base/arrays/sort_runs.hpp"
#include "base/processes/worker_pool.hpp"

namespace tarry {
namespace {

// Whether other processes are to blame for waits of a kind.
bool costs_others(SyncKind kind, const Compatibility& compatibility) {
  const WaitKind wait = wait_kind(kind);
  if (wait == WaitKind::kNone) return false;
  const WaitSource source = cost_of(wait).source;
  if (source == WaitSource::kThreads || source == WaitSource::kDevices) return false;
  return compatibility.has_costs(wait);
}

// Calls visit(rank of the cause, waiter) for the waits of one process.
template <class Visit>
void for_each_wait(const DelayContext& context, RankIndex rank, Visit visit) {
  for (const ThreadIndex thread : context.sync[rank].ids()) {
    const auto& points = context.sync[rank][thread].points;
    for (const SyncIndex at : points.ids()) {
      const SyncPoint& point = points[at];
      if (point.wait > 0 && costs_others(point.kind, context.compatibility) && point.cause_point.is_valid())
        visit(point.cause_rank, Waiter{point.cause_thread, point.cause_point, {rank, thread, at}});
    }
  }
}

}  // namespace

WaitersByCause waiters_by_cause(const DelayContext& context) {
  struct Wait {
    RankIndex cause;
    Waiter waiter;
  };
  const std::size_t ranks = context.sync.size();
  WaitersByCause result = rows_of<Waiter>(ranks, context.trace.budget());
  // Of waiters of each cause; later, of those in their place.
  Indexed<RankIndex, std::vector<std::atomic<std::uint32_t>>> count(ranks);
  Indexed<RankIndex, std::vector<Rows<Wait>>> waits = rows_of<Wait>(ranks, context.trace.budget());  // of each process
  const auto for_each = [&](auto job) {
    run_parallel(context.trace.workers(), ranks, [&](std::size_t i) { job(RankIndex(i)); });
  };
  for_each([&](RankIndex rank) {
    for_each_wait(context, rank, [&](RankIndex cause, const Waiter& waiter) {
      count[cause].fetch_add(1, std::memory_order_relaxed);
      waits[rank].push_back({cause, waiter});
    });
    waits[rank].finish();
  });
  for_each([&](RankIndex cause) { result[cause].resize(count[cause].exchange(0)); });
  for_each([&](RankIndex rank) {
    for (const Wait& wait : waits[rank])
      result[wait.cause][count[wait.cause].fetch_add(1, std::memory_order_relaxed)] = wait.waiter;
    waits[rank].clear();
  });
  // Those of one process came in order, mostly.
  for_each([&](RankIndex cause) {
    sort_runs(result[cause], [](const Waiter& a, const Waiter& b) { return a.order() < b.order(); });
  });
  return result;
}

}  // namespace tarry

// waiters.cpp -- who waited for each process.
#include "analysis/delay/waiters.hpp"

#include <atomic>

#include "base/sort_runs.hpp"
#include "base/worker_pool.hpp"

namespace tarry {
namespace {

// Whether other processes are to blame for waits of a kind.
bool costs_others(SyncKind kind, const Compatibility& compatibility) {
  const WaitKind wait = wait_kind(kind);
  if (wait == WaitKind::kNone || cost_of(wait).source == WaitSource::kThreads) return false;
  return compatibility.has_costs(wait);
}

// Calls visit(cause's rank index, waiter) for the waits of one process.
template <class Visit>
void for_each_wait(const DelayContext& context, std::uint32_t rank, Visit visit) {
  for (std::uint16_t thread = 0; thread < context.sync[rank].size(); ++thread) {
    const Rows<SyncPoint>& points = context.sync[rank][thread].points;
    for (SyncIndex at = 0; at < points.size(); ++at) {
      const SyncPoint& point = points[at];
      if (point.wait > 0 && costs_others(point.kind, context.compatibility) && point.cause_point != kNone32)
        visit(point.cause_rank, Waiter{point.cause_thread, point.cause_point, {rank, thread, at}});
    }
  }
}

}  // namespace

std::vector<Rows<Waiter>> waiters_by_cause(const DelayContext& context) {
  struct Wait {
    std::uint32_t cause;
    Waiter waiter;
  };
  const std::size_t ranks = context.sync.size();
  std::vector<Rows<Waiter>> result = rows_of<Waiter>(ranks, context.trace.budget());
  std::vector<std::atomic<std::uint32_t>> count(ranks);  // of waiters of each cause; later, of those in their place
  std::vector<Rows<Wait>> waits = rows_of<Wait>(ranks, context.trace.budget());  // of each process
  const auto for_each = [&](auto job) {
    run_parallel(context.trace.workers(), ranks, [&](std::size_t i) { job(static_cast<std::uint32_t>(i)); });
  };
  for_each([&](std::uint32_t rank) {
    for_each_wait(context, rank, [&](std::uint32_t cause, const Waiter& waiter) {
      count[cause].fetch_add(1, std::memory_order_relaxed);
      waits[rank].push_back({cause, waiter});
    });
    waits[rank].finish();
  });
  for_each([&](std::uint32_t cause) { result[cause].resize(count[cause].exchange(0)); });
  for_each([&](std::uint32_t rank) {
    for (const Wait& wait : waits[rank])
      result[wait.cause][count[wait.cause].fetch_add(1, std::memory_order_relaxed)] = wait.waiter;
    waits[rank].clear();
  });
  // Those of one process came in order, mostly.
  for_each([&](std::uint32_t cause) {
    sort_runs(result[cause], [](const Waiter& a, const Waiter& b) { return a.order() < b.order(); });
  });
  return result;
}

}  // namespace tarry

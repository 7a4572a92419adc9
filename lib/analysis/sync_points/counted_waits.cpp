// counted_waits.cpp -- how much of the wait at each sync point lies in the selected part of a trace.
#include "analysis/sync_points/counted_waits.hpp"

namespace tarry {
namespace {

// Collectives wait from their BEGIN record on, one-sided communication and OpenMP barriers from where the pattern sets
// it, everything else from the Enter.
Ticks begin_of_wait(const LogicalRank& rank, const RankWaits& waits, ThreadIndex thread, const SyncPoint& point) {
  if (const BarrierIndex barrier = point.barrier(); barrier.is_valid()) return waits.barriers[thread][barrier].begin;
  if (const WindowWaitIndex wait = point.window_wait(); wait.is_valid()) return waits.windows[wait.value].begin;
  const CollectiveIndex collective = point.collective();
  return collective.is_valid() ? rank.collectives[collective].begin : point.enter;
}

ThreadCountedWaits count_thread(const LogicalRank& rank, const RankWaits& waits, ThreadIndex thread,
                                const SyncPoints& points) {
  ThreadCountedWaits counted;
  for (const SyncPoint& point : points.points) {
    if (const PolledWaitIndex polled = point.polled_wait(); polled.is_valid()) {
      counted.push_back(waits.late_polls[polled].counted);
      continue;
    }
    if (const LockWaitIndex lock = point.lock_wait(); lock.is_valid()) {
      counted.push_back(waits.locks[lock].counted);
      continue;
    }
    const Ticks begin = begin_of_wait(rank, waits, thread, point);
    counted.push_back(point.wait > 0 ? rank.threads[thread].selected->overlap(begin, begin + point.wait) : 0);
  }
  return counted;
}

}  // namespace

CountedWaits count_waits(const Trace& trace, const FoundWaits& waits, const AllSyncPoints& sync) {
  CountedWaits all(sync.size());
  MessageBuffer own;
  for (const RankIndex r : sync.ids()) {
    if (!trace.is_hosted(r)) continue;
    for (const ThreadIndex t : sync[r].ids()) {
      all[r].push_back(count_thread(trace.ranks()[r], waits.ranks[r], t, sync[r][t]));
      own.put(r);
      own.put_all(all[r].back());
    }
  }
  if (trace.exchange().size() == 1) return all;
  std::vector<MessageBuffer> copies(static_cast<std::size_t>(trace.exchange().size()), own);
  for (MessageBuffer& arrived : trace.exchange().all_to_all(std::move(copies)))
    while (!arrived.is_read()) {
      const auto rank = arrived.get<RankIndex>();
      std::vector<Ticks> counted = arrived.get_all<Ticks>();
      if (!trace.is_hosted(rank)) all[rank].push_back(std::move(counted));
    }
  return all;
}

}  // namespace tarry

// counted_waits.cpp -- how much of the wait at each sync point lies in the selected part of a trace.
#include "analysis/sync_points/counted_waits.hpp"

namespace tarry {
namespace {

bool is_collective(const SyncPoint& point) {
  if (point.record == kNone32) return false;
  if (point.kind == SyncKind::kInit) return true;
  const WaitKind kind = wait_kind(point.kind);
  return kind != WaitKind::kNone &&
         (cost_of(kind).source == WaitSource::kCollectives || cost_of(kind).source == WaitSource::kRequests);
}

// Collectives wait from their BEGIN record on, one-sided communication from where the pattern sets it,
// everything else from the Enter.
Ticks begin_of_wait(const LogicalRank& rank, const RankWaits& waits, const SyncPoint& point) {
  if (point.kind == SyncKind::kOneSided && point.record != kNone32) return waits.windows[point.record].begin;
  return is_collective(point) ? rank.collectives[point.record].begin : point.enter;
}

std::vector<Ticks> count_thread(const LogicalRank& rank, const RankWaits& waits, std::size_t thread,
                                const SyncPoints& points) {
  std::vector<Ticks> counted;
  for (const SyncPoint& point : points.points) {
    const Ticks begin = begin_of_wait(rank, waits, point);
    counted.push_back(point.wait > 0 ? rank.threads[thread].selected->overlap(begin, begin + point.wait) : 0);
  }
  return counted;
}

}  // namespace

CountedWaits count_waits(const Trace& trace, const FoundWaits& waits, const AllSyncPoints& sync) {
  CountedWaits all(sync.size());
  MessageBuffer own;
  for (std::uint32_t r = 0; r < sync.size(); ++r) {
    if (!trace.is_hosted(RankIndex(r))) continue;
    for (std::size_t t = 0; t < sync[r].size(); ++t) {
      all[r].push_back(count_thread(trace.ranks()[r], waits.ranks[r], t, sync[r][t]));
      own.put(r);
      own.put_all(all[r].back());
    }
  }
  if (trace.exchange().size() == 1) return all;
  std::vector<MessageBuffer> copies(static_cast<std::size_t>(trace.exchange().size()), own);
  for (MessageBuffer& arrived : trace.exchange().all_to_all(std::move(copies)))
    while (!arrived.is_read()) {
      const auto rank = arrived.get<std::uint32_t>();
      std::vector<Ticks> counted = arrived.get_all<Ticks>();
      if (!trace.is_hosted(RankIndex(rank))) all[rank].push_back(std::move(counted));
    }
  return all;
}

}  // namespace tarry

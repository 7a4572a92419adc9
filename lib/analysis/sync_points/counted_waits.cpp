// counted_waits.cpp -- how much of the wait at each sync point lies in the selected part of a trace.
#include "analysis/sync_points/counted_waits.hpp"

namespace tarry {
namespace {

bool is_collective(const SyncPoint& point) {
  switch (point.kind) {
    case WaitKind::kBarrier:
    case WaitKind::kAllToAll:
    case WaitKind::kOneToAll:
    case WaitKind::kAllToOne:
    case WaitKind::kScan:
    case WaitKind::kRequest:
    case WaitKind::kCreation:
    case WaitKind::kNeighborhood:
    case WaitKind::kFinalize:
    case WaitKind::kInit: return point.record != kNone32;
    default: return false;
  }
}

// Collectives wait from their BEGIN record on, one-sided communication where the pattern says, everything else
// from the Enter.
Ticks begin_of_wait(const LogicalRank& rank, const SyncPoint& point) {
  if (point.kind == WaitKind::kOneSided && point.record != kNone32) return rank.window_waits[point.record].begin;
  return is_collective(point) ? rank.collectives[point.record].begin : point.enter;
}

std::vector<Ticks> count_thread(const LogicalRank& rank, std::size_t thread, const SyncPoints& points) {
  std::vector<Ticks> counted;
  for (const SyncPoint& point : points.points) {
    const Ticks begin = begin_of_wait(rank, point);
    counted.push_back(point.wait > 0 ? rank.threads[thread].selected->overlap(begin, begin + point.wait) : 0);
  }
  return counted;
}

}  // namespace

CountedWaits count_waits(World& world, const AllSyncPoints& sync) {
  CountedWaits all(sync.size());
  Parcel own;
  for (std::uint32_t r = 0; r < sync.size(); ++r) {
    if (!world.is_hosted(r)) continue;
    for (std::size_t t = 0; t < sync[r].size(); ++t) {
      all[r].push_back(count_thread(world.ranks()[r], t, sync[r][t]));
      own.put(r);
      own.put_all(all[r].back());
    }
  }
  if (world.exchange().size() == 1) return all;
  std::vector<Parcel> copies(static_cast<std::size_t>(world.exchange().size()), own);
  for (Parcel& arrived : world.exchange().all_to_all(std::move(copies)))
    while (!arrived.is_read()) {
      const auto rank = arrived.get<std::uint32_t>();
      std::vector<Ticks> counted = arrived.get_all<Ticks>();
      if (!world.is_hosted(rank)) all[rank].push_back(std::move(counted));
    }
  return all;
}

}  // namespace tarry

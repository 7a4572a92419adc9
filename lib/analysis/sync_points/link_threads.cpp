// link_threads.cpp -- connects waits for another thread of the same process with the sync point of that thread.
#include "analysis/sync_points/link_threads.hpp"

#include <algorithm>
#include <map>

namespace tarry {
namespace {

void link_barriers(const Trace& trace, const FoundWaits& waits, RankIndex rank_index, ThreadSyncPoints& threads) {
  const LogicalRank& rank = trace.ranks()[rank_index];
  Indexed<ThreadIndex, std::vector<Indexed<BarrierIndex, std::vector<SyncIndex>>>> point_of_barrier(
      rank.threads.size());
  for (const ThreadIndex t : rank.threads.ids()) {
    point_of_barrier[t].resize(rank.threads[t].barriers.size());
    for (const SyncIndex at : threads[t].points.ids())
      if (const BarrierIndex barrier = threads[t].points[at].barrier(); barrier.is_valid())
        point_of_barrier[t][barrier] = at;
  }
  for (const ThreadIndex t : rank.threads.ids())
    for (SyncPoint& point : threads[t].points) {
      const BarrierIndex barrier = point.barrier();
      if (!barrier.is_valid()) continue;
      const BarrierWait& wait = waits.ranks[rank_index].barriers[t][barrier];
      point.set_cause({rank_index, wait.last_thread, point_of_barrier[wait.last_thread][wait.last_barrier]});
    }
}

void link_locks(RankIndex rank_index, ThreadSyncPoints& threads) {
  if (!have_locks(threads)) return;
  struct Release {
    LockIndex acquisition;
    SyncIndex point;
  };
  Indexed<ThreadIndex, std::vector<Rows<Release>>> releases =
      rows_of<Release>(threads.size(), threads[kMaster].points.budget());
  const auto is_before = [](const Release& a, const Release& b) { return a.acquisition < b.acquisition; };
  const auto for_each = [&](auto visit) {
    for (const ThreadIndex t : threads.ids())
      for (const SyncIndex at : threads[t].points.ids())
        if (is_of_lock(threads[t].points[at].kind)) visit(t, at, threads[t].points[at]);
  };
  for_each([&](ThreadIndex t, SyncIndex at, const SyncPoint& point) {
    if (point.wait == 0) releases[t].push_back({point.acquisition(), at});
  });
  for (Rows<Release>& of_thread : releases) std::sort(of_thread.begin(), of_thread.end(), is_before);
  for_each([&](ThreadIndex, SyncIndex, SyncPoint& point) {
    if (point.wait == 0) return;
    point.cause_rank = rank_index;
    const Rows<Release>& held = releases[point.cause_thread];
    const Release wanted{point.with.held_lock(), SyncIndex()};
    point.cause_point = std::lower_bound(held.begin(), held.end(), wanted, is_before)->point;
  });
}

// Each wait has a point of the one who waits, and one of the cause.
void link_devices(const RankWaits& waits, RankIndex rank_index, ThreadSyncPoints& threads) {
  if (waits.devices.empty()) return;
  Indexed<DeviceWaitIndex, std::vector<SyncRef>> causes(waits.devices.size());
  const auto for_each = [&](bool waits_here, auto visit) {
    for (const ThreadIndex t : threads.ids())
      for (const SyncIndex at : threads[t].points.ids()) {
        SyncPoint& point = threads[t].points[at];
        if (point.device_wait().is_valid() && (point.wait > 0) == waits_here) visit(point, SyncRef{rank_index, t, at});
      }
  };
  for_each(false, [&](const SyncPoint& point, const SyncRef& place) { causes[point.device_wait()] = place; });
  for_each(true, [&](SyncPoint& point, const SyncRef&) { point.set_cause(causes[point.device_wait()]); });
}

// From the begin of a thread to its creation.
void link_starts(const Trace& trace, RankIndex rank_index, ThreadSyncPoints& threads) {
  const LogicalRank& rank = trace.ranks()[rank_index];
  const auto has_none = [](const LogicalThread& thread) { return thread.starts.empty(); };
  if (std::all_of(rank.threads.begin(), rank.threads.end(), has_none)) return;
  std::map<std::pair<std::uint64_t, std::uint64_t>, SyncRef> created;
  const auto for_each = [&](bool is_begin, auto visit) {
    for (const ThreadIndex t : threads.ids())
      for (const SyncIndex at : threads[t].points.ids())
        if (const ThreadStartIndex number = threads[t].points[at].start(); number.is_valid()) {
          const ThreadStart& start = rank.threads[t].starts[number];
          if (start.is_begin == is_begin)
            visit(std::pair(start.contingent, start.sequence), SyncRef{rank_index, t, at});
        }
  };
  for_each(false, [&](const auto& key, const SyncRef& creation) { created.emplace(key, creation); });
  for_each(true, [&](const auto& key, const SyncRef& place) {
    SyncPoint& begin = threads[place.thread].points[place.point];
    const auto found = created.find(key);
    if (found == created.end()) return;
    SyncPoint& creation = threads[found->second.thread].points[found->second.point];
    if (creation.enter > begin.enter || found->second.thread == place.thread) return;
    creation.with = Counterpart::thread(place.thread);
    begin.set_cause(found->second);
  });
}

}  // namespace

void link_threads(const Trace& trace, const FoundWaits& waits, RankIndex rank_index, ThreadSyncPoints& threads) {
  link_barriers(trace, waits, rank_index, threads);
  link_locks(rank_index, threads);
  link_devices(waits.ranks[rank_index], rank_index, threads);
  link_starts(trace, rank_index, threads);
}

}  // namespace tarry

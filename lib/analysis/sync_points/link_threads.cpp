// link_threads.cpp -- connects waits for another thread of the same process with the sync point of that thread.
#include "analysis/sync_points/link_threads.hpp"

#include <algorithm>
#include <map>

namespace tarry {
namespace {

void link_barriers(const Trace& trace, const FoundWaits& waits, std::uint32_t rank_index,
                   std::vector<SyncPoints>& threads) {
  const LogicalRank& rank = trace.ranks()[rank_index];
  std::vector<std::vector<SyncIndex>> point_of_barrier(rank.threads.size());
  for (std::size_t t = 0; t < rank.threads.size(); ++t) {
    point_of_barrier[t].resize(rank.threads[t].barriers.size(), kNone32);
    for (SyncIndex at = 0; at < threads[t].points.size(); ++at)
      if (const SyncPoint& point = threads[t].points[at]; point.kind == SyncKind::kThreadBarrier)
        point_of_barrier[t][point.record] = at;
  }
  for (std::size_t t = 0; t < rank.threads.size(); ++t)
    for (SyncPoint& point : threads[t].points) {
      if (point.kind != SyncKind::kThreadBarrier) continue;
      const BarrierWait& wait = waits.ranks[rank_index].barriers[t][point.record];
      point.cause_rank = rank_index;
      point.cause_thread = wait.last_thread.value;
      point.cause_point = point_of_barrier[wait.last_thread.value][wait.last_barrier.value];
    }
}

void link_locks(std::uint32_t rank_index, std::vector<SyncPoints>& threads) {
  if (!have_locks(threads)) return;
  struct Release {
    std::uint32_t acquisition;
    SyncIndex point;
  };
  std::vector<Rows<Release>> releases = rows_of<Release>(threads.size(), threads[0].points.budget());
  const auto is_before = [](const Release& a, const Release& b) { return a.acquisition < b.acquisition; };
  const auto for_each = [&](auto visit) {
    for (std::size_t t = 0; t < threads.size(); ++t)
      for (SyncIndex at = 0; at < threads[t].points.size(); ++at)
        if (threads[t].points[at].kind == SyncKind::kThreadLock) visit(t, at, threads[t].points[at]);
  };
  for_each([&](std::size_t t, SyncIndex at, const SyncPoint& point) {
    if (point.wait == 0) releases[t].push_back({point.record, at});
  });
  for (Rows<Release>& of_thread : releases) std::sort(of_thread.begin(), of_thread.end(), is_before);
  for_each([&](std::size_t, SyncIndex, SyncPoint& point) {
    if (point.wait == 0) return;
    point.cause_rank = rank_index;
    const Rows<Release>& held = releases[point.cause_thread];
    const Release wanted{point.cause_point, 0};
    point.cause_point = std::lower_bound(held.begin(), held.end(), wanted, is_before)->point;
  });
}

// From the begin of a thread to its creation.
void link_starts(const Trace& trace, std::uint32_t rank_index, std::vector<SyncPoints>& threads) {
  const LogicalRank& rank = trace.ranks()[rank_index];
  const auto has_none = [](const LogicalThread& thread) { return thread.starts.empty(); };
  if (std::all_of(rank.threads.begin(), rank.threads.end(), has_none)) return;
  struct Place {
    std::uint16_t thread;
    SyncIndex point;
  };
  std::map<std::pair<std::uint64_t, std::uint64_t>, Place> created;
  const auto for_each = [&](bool is_begin, auto visit) {
    for (std::uint16_t t = 0; t < threads.size(); ++t)
      for (SyncIndex at = 0; at < threads[t].points.size(); ++at)
        if (const SyncPoint& point = threads[t].points[at]; point.kind == SyncKind::kThreadStart) {
          const ThreadStart& start = rank.threads[t].starts[point.record];
          if (start.is_begin == is_begin) visit(std::pair(start.contingent, start.sequence), Place{t, at});
        }
  };
  for_each(false, [&](const auto& key, Place place) { created.emplace(key, place); });
  for_each(true, [&](const auto& key, Place place) {
    SyncPoint& begin = threads[place.thread].points[place.point];
    const auto found = created.find(key);
    if (found == created.end()) return;
    SyncPoint& creation = threads[found->second.thread].points[found->second.point];
    if (creation.enter > begin.enter || found->second.thread == place.thread) return;
    creation.with = {Counterpart::Kind::kThread, place.thread};
    begin.cause_rank = rank_index;
    begin.cause_thread = found->second.thread;
    begin.cause_point = found->second.point;
  });
}

}  // namespace

void link_threads(const Trace& trace, const FoundWaits& waits, std::uint32_t rank_index,
                  std::vector<SyncPoints>& threads) {
  link_barriers(trace, waits, rank_index, threads);
  link_locks(rank_index, threads);
  link_starts(trace, rank_index, threads);
}

}  // namespace tarry

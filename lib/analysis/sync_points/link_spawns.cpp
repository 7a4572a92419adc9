// link_spawns.cpp -- connects spawned processes with those that spawned them.
#include "analysis/sync_points/link_spawns.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "replay/matching/started_worlds.hpp"

namespace tarry {
namespace {

class SpawnLinker {
 public:
  SpawnLinker(const Trace& trace, AllSyncPoints& all)
      : trace_(trace), worlds_(trace.mpi_worlds()), all_(all), started_(trace) {}

  void run() {
    find_calls();
    for (const auto& [child, calls] : calls_of_) link(child, calls);
  }

 private:
  SyncPoint& point_of(const SyncRef& ref) { return all_[ref.rank][ref.thread].points[ref.point]; }

  // By the world they started, in order of rank.
  void find_calls() {
    for (const RankIndex r : all_.ids())
      for (const ThreadIndex t : all_[r].ids())
        for (const SyncIndex at : all_[r][t].points.ids()) {
          const SyncPoint& point = all_[r][t].points[at];
          if (point.kind != SyncKind::kSpawn) continue;
          const WorldIndex child = started_.world_of(point.with.started(), r);
          if (child.is_valid()) calls_of_[child].push_back({r, t, at});
        }
  }

  void link(WorldIndex child, const std::vector<SyncRef>& calls) {
    const SyncRef start = starting_call(calls);
    const SyncPoint& spawn = point_of(start);
    const CommId comm = spawn.with.started();
    Ticks last_init = std::numeric_limits<Ticks>::min();
    for (const WorldRank world_rank : worlds_.members(child)) {
      ThreadSyncPoints& threads = all_[trace_.index_of(world_rank)];
      if (threads.empty() || spawn.enter > begin_of(threads)) continue;
      for (SyncPoints& thread : threads) {
        thread.spawn = start;
        if (!thread.init.is_valid()) continue;
        SyncPoint& init = thread.points[thread.init];
        set_partners(init, comm);
        last_init = std::max(last_init, init.enter);
      }
    }
    for (const SyncRef& ref : calls) {
      SyncPoint& call = point_of(ref);
      set_partners(call, comm);
      call.completion = std::clamp<Ticks>(call.enter + call.total - std::max(call.enter, last_init), 0, call.total);
    }
  }

  static void set_partners(SyncPoint& point, CommId comm) { point.with = Counterpart::communicator(comm); }

  static Ticks begin_of(const ThreadSyncPoints& threads) {
    Ticks first = std::numeric_limits<Ticks>::max();
    for (const SyncPoints& thread : threads)
      if (thread.has_events()) first = std::min(first, thread.first_time);
    return first;
  }

  SyncRef starting_call(const std::vector<SyncRef>& calls) {
    SyncRef last = calls.front();
    for (const SyncRef& call : calls) {
      if (point_of(call).is_spawn_root) return call;
      if (point_of(call).enter > point_of(last).enter) last = call;
    }
    return last;
  }

  const Trace& trace_;
  const WorldTable& worlds_;
  AllSyncPoints& all_;
  StartedWorlds started_;
  std::map<WorldIndex, std::vector<SyncRef>> calls_of_;  // by the world they started
};

}  // namespace

void link_spawns(const Trace& trace, AllSyncPoints& all) { SpawnLinker(trace, all).run(); }

}  // namespace tarry

// link_spawns.cpp -- connects spawned processes with those that spawned them.
#include "analysis/sync_points/link_spawns.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <span>

namespace tarry {
namespace {

class SpawnLinker {
 public:
  SpawnLinker(const Trace& trace, AllSyncPoints& all) : trace_(trace), worlds_(trace.mpi_worlds()), all_(all) {}

  void run() {
    find_calls();
    for (const auto& [child, calls] : calls_of_) link(child, calls);
  }

 private:
  struct Sides {
    WorldIndex local{}, remote{};  // the world that is one side of an inter-communicator
  };

  SyncPoint& point_of(const SyncRef& ref) { return all_[ref.rank][ref.thread].points[ref.point]; }

  // By the world they started, in order of rank.
  void find_calls() {
    for (const RankIndex r : all_.ids())
      for (const ThreadIndex t : all_[r].ids())
        for (const SyncIndex at : all_[r][t].points.ids()) {
          const SyncPoint& point = all_[r][t].points[at];
          if (point.kind != SyncKind::kSpawn) continue;
          const WorldIndex child = started_world(point.with.started(), r);
          if (child.is_valid()) calls_of_[child].push_back({r, t, at});
        }
  }

  // The world on the other side of an inter-communicator of a process.
  WorldIndex started_world(CommId comm, RankIndex rank_index) {
    const auto [at, is_new] = sides_of_.try_emplace(comm);
    if (is_new) {
      const std::span members = trace_.communicators().members(comm).numbers();
      const std::size_t local = trace_.communicators().local_size(comm);
      at->second = {world_with(members.first(local)), world_with(members.subspan(local))};
    }
    const Sides& sides = at->second;
    const WorldIndex own = worlds_.of(rank_index);
    if (sides.remote.is_valid() && sides.remote != own) return sides.remote;
    return sides.local != own ? sides.local : WorldIndex();
  }

  // The world with exactly these members.
  WorldIndex world_with(std::span<const std::uint32_t> members) const {
    for (const std::uint32_t member : members) {
      const RankIndex index = trace_.index_of(WorldRank(member));
      if (!index.is_valid()) continue;
      const CommId comm = worlds_.comm(worlds_.of(index));
      if (!comm.is_valid()) return {};
      const auto all = trace_.communicators().members(comm).numbers();
      return std::equal(all.begin(), all.end(), members.begin(), members.end()) ? worlds_.of(index) : WorldIndex();
    }
    return {};
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
  std::map<CommId, Sides> sides_of_;                     // by inter-communicator
  std::map<WorldIndex, std::vector<SyncRef>> calls_of_;  // by the world they started
};

}  // namespace

void link_spawns(const Trace& trace, AllSyncPoints& all) { SpawnLinker(trace, all).run(); }

}  // namespace tarry

// plan_spawns.cpp -- gates of processes that others start.
//
//   spawner    [ MPI_Comm_spawn ..................... ]
//   child             begin ... [ MPI_Init .......... ]
//
//   a child begins after the call that starts it was entered: that of the root
//   MPI_Comm_spawn needs MPI_Init of the children; MPI_Init of each needs all the calls
#include <algorithm>
#include <limits>
#include <map>
#include <vector>

#include "prediction/simulation/gates.hpp"
#include "replay/matching/started_worlds.hpp"

namespace tarry {
namespace {

// A call of MPI_Comm_spawn.
struct SpawnCall {
  RankIndex rank{};
  CallIndex call{};
  Ticks enter = 0, leave = 0;
  CommId comm{};
  bool is_root = false;

  CallMoment entered() const { return {rank, call, enter}; }
  CallMoment left() const { return {rank, call, leave}; }
};

// The begin of a process, and its MPI_Init.
struct ProcessBegin {
  RankIndex rank{};
  Ticks first = 0;
  CallIndex init{};  // none: there is none
  Ticks init_enter = 0, init_leave = 0;
};

ProcessBegin begin_of(RankIndex index, const LogicalRank& rank) {
  ProcessBegin begin{.rank = index, .first = std::numeric_limits<Ticks>::max()};
  for (const LogicalThread& thread : rank.threads)
    if (thread.event_count > 0) begin.first = std::min(begin.first, thread.first_time);
  for (const Collective& part : rank.collectives) {
    if (part.kind != CollectiveKind::kInit) continue;
    begin.init = part.call;
    begin.init_enter = rank.calls[part.call].enter;
    begin.init_leave = rank.calls[part.call].leave();
    break;
  }
  return begin;
}

class SpawnGates {
 public:
  SpawnGates(const Trace& trace, Gates& gates) : trace_(trace), worlds_(trace.mpi_worlds()), gates_(gates) {}

  void plan() {
    find_begins();
    for (const auto& [world, calls] : find_calls()) plan_world(world, calls);
  }

 private:
  using Calls = std::vector<SpawnCall>;

  void find_begins() {
    for (const RankIndex r : trace_.ranks().ids()) begins_.push_back(begin_of(r, trace_.ranks()[r]));
  }

  // By the world that they start, in order of rank.
  std::map<WorldIndex, Calls> find_calls() const {
    std::map<WorldIndex, Calls> calls_of;
    StartedWorlds started(trace_);
    for (const RankIndex r : trace_.ranks().ids()) {
      const LogicalRank& rank = trace_.ranks()[r];
      for (const Spawn& spawn : rank.spawns) {
        if (!spawn.comm.is_valid()) continue;
        const MpiCall& call = rank.calls[spawn.call];
        const WorldIndex child = started.world_of(spawn.comm, r);
        if (child.is_valid())
          calls_of[child].push_back({r, spawn.call, call.enter, call.leave(), spawn.comm, spawn.root == rank.rank});
      }
    }
    return calls_of;
  }

  void plan_world(WorldIndex world, const Calls& calls) {
    const SpawnCall& start = starting_call(calls);
    const GateIndex begin = gates_.add();
    gates_.signal(begin, start.rank, start.call, start.enter);
    std::vector<CallMoment> spawns_entered, spawns_left, inits_entered, inits_left;
    for (const WorldRank world_rank : worlds_.members(world)) {
      const ProcessBegin& child = begins_[trace_.index_of(world_rank)];
      if (child.first == std::numeric_limits<Ticks>::max() || start.enter > child.first) continue;
      gates_.begin(child.rank, begin);
      if (!child.init.is_valid()) continue;
      inits_entered.push_back({child.rank, child.init, child.init_enter});
      inits_left.push_back({child.rank, child.init, child.init_leave});
    }
    for (const SpawnCall& call : calls) {
      spawns_entered.push_back(call.entered());
      spawns_left.push_back(call.left());
    }
    connect_earlier(std::move(spawns_entered), std::move(inits_left), gates_);
    connect_earlier(std::move(inits_entered), std::move(spawns_left), gates_);
  }

  static const SpawnCall& starting_call(const Calls& calls) {
    const auto root = std::ranges::find_if(calls, &SpawnCall::is_root);
    return root != calls.end() ? *root : *std::ranges::max_element(calls, {}, &SpawnCall::enter);
  }

  const Trace& trace_;
  const WorldTable& worlds_;
  Gates& gates_;
  Indexed<RankIndex, std::vector<ProcessBegin>> begins_;
};

}  // namespace

void plan_spawns(const Trace& trace, Gates& gates) {
  if (trace.mpi_worlds().are_several()) SpawnGates(trace, gates).plan();
}

}  // namespace tarry

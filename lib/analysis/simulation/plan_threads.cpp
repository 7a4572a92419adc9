// plan_threads.cpp -- gates between the threads of a process: OpenMP barriers, forks, joins, locks, created threads.
#include <tuple>

#include "analysis/simulation/gates.hpp"

namespace tarry {
namespace {

// The k-th barrier of a team is the same for all its threads.
class TeamGates {
 public:
  TeamGates(const LogicalRank& rank, ThreadGates& into, Gates& gates) : rank_(rank), into_(into), gates_(gates) {}

  void plan() {
    for (const ThreadIndex t : rank_.threads.ids()) plan_barriers(t);
    for (std::size_t i = 0; i < rank_.forks.size(); ++i) {
      into_.forks.push_back(gates_.add());
      into_.joins.push_back(gates_.add());
    }
    for (const ThreadIndex t : rank_.threads.ids())
      for (const ParallelEntry& entry : rank_.threads[t].parallels) plan_entry(t, entry);
  }

 private:
  void plan_barriers(ThreadIndex t) {
    FlatMap<std::uint64_t, std::uint32_t> seen;  // barriers so far, by team
    for (const ThreadBarrier& barrier : rank_.threads[t].barriers) {
      GateIndex gate;
      if (barrier.fork.is_valid()) {
        const std::uint64_t team = rank_.repeats_teams ? barrier.fork.value : barrier.team;
        gate = gate_of(team << 32 | seen.insert(team, 0)++);
        gates_.cause(gate, barrier.enter);
      }
      into_.threads[t].barriers.push_back(gate);
    }
  }

  GateIndex gate_of(std::uint64_t barrier) {
    GateIndex& gate = barriers_.insert(barrier);
    if (!gate.is_valid()) gate = gates_.add();
    return gate;
  }

  void plan_entry(ThreadIndex t, const ParallelEntry& entry) {
    const Fork& fork = rank_.forks[entry.fork];
    if (fork.thread == t) gates_.cause(into_.forks[entry.fork], fork.fork_time);
    else gates_.cause(into_.joins[entry.fork], entry.leave);
  }

  const LogicalRank& rank_;
  ThreadGates& into_;
  Gates& gates_;
  FlatMap<std::uint64_t, GateIndex> barriers_;
};

// A lock is acquired after the one before has released it, in the recorded order.
class LockGates {
 public:
  LockGates(const LogicalRank& rank, ThreadGates& into, Gates& gates) : rank_(rank), into_(into), gates_(gates) {}

  void plan() {
    for (const ThreadIndex t : rank_.threads.ids())
      rank_.threads[t].locks.for_each([&](LockIndex number, const LockAcquisition& lock, const LockPlace&) {
        if (!lock.is_shared) held_.push_back({lock.lock, lock.order, lock.acquire, lock.release, t, number});
        into_.threads[t].acquired.emplace_back();
        into_.threads[t].released.emplace_back();
      });
    std::sort(held_.begin(), held_.end(), [](const Held& a, const Held& b) {
      return std::tie(a.lock, a.order, a.thread) < std::tie(b.lock, b.order, b.thread);
    });
    for (std::size_t i = 1; i < held_.size(); ++i) plan_pair(held_[i - 1], held_[i]);
  }

 private:
  struct Held {
    std::uint64_t lock, order;
    Ticks acquire, release;
    ThreadIndex thread;
    LockIndex number;
  };

  void plan_pair(const Held& before, const Held& after) {
    const bool is_next = before.lock == after.lock && before.order + 1 == after.order;
    if (!is_next || before.thread == after.thread || before.release <= before.acquire) return;
    const GateIndex gate = gates_.add();
    gates_.cause(gate, before.release);
    into_.threads[before.thread].released[before.number] = gate;
    into_.threads[after.thread].acquired[after.number] = gate;
  }

  const LogicalRank& rank_;
  ThreadGates& into_;
  Gates& gates_;
  std::vector<Held> held_;
};

// A thread begins after it was created.
void plan_starts(const LogicalRank& rank, ThreadGates& into, Gates& gates) {
  FlatMap<std::uint64_t, GateIndex> created;
  const auto key_of = [](const ThreadStart& start) { return mix_bits(start.contingent) ^ start.sequence; };
  for (const bool is_begin : {false, true})
    for (const ThreadIndex t : rank.threads.ids())
      for (const ThreadStartIndex i : rank.threads[t].starts.ids()) {
        const ThreadStart& start = rank.threads[t].starts[i];
        into.threads[t].starts.resize(rank.threads[t].starts.size());
        if (start.is_begin != is_begin) continue;
        GateIndex& gate = created.insert(key_of(start));
        if (is_begin) {
          into.threads[t].starts[i] = gate;
        } else if (!gate.is_valid()) {
          gate = into.threads[t].starts[i] = gates.add();
          gates.cause(gate, start.moment.time);
        }
      }
}

}  // namespace

ThreadGates plan_threads(const LogicalRank& rank, Gates& gates) {
  ThreadGates planned;
  for (std::size_t i = 0; i < rank.threads.size(); ++i) planned.threads.emplace_back(rank.calls.budget());
  if (rank.threads.size() < 2) return planned;
  const std::lock_guard lock(gates.mutex());
  TeamGates(rank, planned, gates).plan();
  LockGates(rank, planned, gates).plan();
  plan_starts(rank, planned, gates);
  return planned;
}

}  // namespace tarry

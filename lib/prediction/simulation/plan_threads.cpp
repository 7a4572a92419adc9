// plan_threads.cpp -- gates between the threads of a process: OpenMP barriers, forks and joins, and threads that are
// created and joined.

#include <algorithm>
#include <optional>

#include "prediction/simulation/gates.hpp"
#include "prediction/simulation/plan_steps.hpp"

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
        gates_.cause(gate, barrier.ready);
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

// A thread begins after it was created.
void plan_thread_starts(const LogicalRank& rank, ThreadGates& into, Gates& gates) {
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

// The threads of which the trace does not tell what they begin with, by their first event.
std::vector<ThreadIndex> threads_out_of_nowhere(const LogicalRank& rank, const ThreadGates& planned) {
  std::vector<ThreadIndex> found;
  for (const ThreadIndex t : rank.threads.ids())
    if (t != kMaster && rank.threads[t].event_count > 0 && !has_known_begin(rank, t, planned.threads[t]))
      found.push_back(t);
  std::sort(found.begin(), found.end(),
            [&](ThreadIndex a, ThreadIndex b) { return rank.threads[a].first_time < rank.threads[b].first_time; });
  return found;
}

// Where the master was when other threads showed up: in a call, or behind one.
class PlacesOfMaster {
 public:
  explicit PlacesOfMaster(const LogicalRank& rank)
      : all_(rank.calls), calls_(std::move(calls_of_threads(rank)[kMaster.value])) {}

  /// The latest moment up to `time` outside of all calls at which one begins or ends; none if there is none. To be
  /// asked in the order of time.
  std::optional<Ticks> latest_until(Ticks time) {
    for (; next_ < calls_.size() && all_[calls_[next_]].enter <= time; ++next_)
      if (const MpiCall& call = all_[calls_[next_]]; !outermost_ || call.enter >= outermost_->leave())
        outermost_ = &call;
    if (!outermost_) return {};
    return outermost_->leave() <= time ? outermost_->leave() : outermost_->enter;
  }

 private:
  const Indexed<CallIndex, Rows<MpiCall>>& all_;
  Rows<CallIndex> calls_;
  std::size_t next_ = 0;
  const MpiCall* outermost_ = nullptr;
};

// Other threads begin as long after a call of the master as recorded. Else they would keep their absolute times, and
// hold up a master that is earlier on the changed machine.
void plan_unknown_begins(const LogicalRank& rank, ThreadGates& into, Gates& gates) {
  const std::vector<ThreadIndex> threads = threads_out_of_nowhere(rank, into);
  if (threads.empty()) return;
  PlacesOfMaster places(rank);
  for (const ThreadIndex t : threads) {
    const std::optional<Ticks> time = places.latest_until(rank.threads[t].first_time);
    if (!time) continue;
    const GateIndex gate = into.threads[t].begin = gates.add();
    gates.cause(gate, *time);
    into.begins.push_back({*time, gate});
  }
}

// pthread_join ends after the thread that it waits for.
void plan_ends(const LogicalRank& rank, ThreadGates& into, Gates& gates) {
  struct Ended {
    ThreadIndex thread = kMaster;
    GateIndex gate{};
  };
  FlatMap<std::uint64_t, Ended> ended;
  for (const bool is_join : {false, true})
    for (const ThreadIndex t : rank.threads.ids()) {
      if (!rank.threads[t].ends) continue;
      const Rows<ThreadEnd>& ends = rank.threads[t].ends->ends;
      into.threads[t].ends.resize(ends.size());
      for (std::size_t i = 0; i < ends.size(); ++i) {
        if (ends[i].is_join != is_join) continue;
        Ended& end = ended.insert(mix_bits(ends[i].contingent) ^ ends[i].sequence);
        if (!is_join && !end.gate.is_valid()) {
          end = {t, gates.add()};
          gates.cause(end.gate, ends[i].time);
          into.threads[t].ends[i] = end.gate;
        } else if (is_join && end.thread != t) {
          into.threads[t].ends[i] = end.gate;
        }
      }
    }
}

}  // namespace

const Fork* first_foreign_fork(const LogicalRank& rank, ThreadIndex thread) {
  const auto& parallels = rank.threads[thread].parallels;
  const Fork* const fork = parallels.empty() ? nullptr : &rank.forks[parallels[0].fork];
  return fork && fork->thread != thread ? fork : nullptr;
}

bool has_known_begin(const LogicalRank& rank, ThreadIndex thread, const ThreadGates::OfThread& gates) {
  const bool is_created = !gates.starts.empty() && gates.starts[0].is_valid();
  return (is_created && rank.threads[thread].starts[0].is_begin) || first_foreign_fork(rank, thread);
}

ThreadGates plan_threads(const LogicalRank& rank, const RegionTable& regions, Gates& gates) {
  ThreadGates planned;
  for (std::size_t i = 0; i < rank.threads.size(); ++i) planned.threads.emplace_back(rank.calls.budget());
  if (rank.threads.size() < 2) return planned;
  const std::lock_guard lock(gates.mutex());
  TeamGates(rank, planned, gates).plan();
  plan_locks(rank, regions, planned, gates);
  plan_thread_starts(rank, planned, gates);
  plan_unknown_begins(rank, planned, gates);
  plan_ends(rank, planned, gates);
  return planned;
}

}  // namespace tarry

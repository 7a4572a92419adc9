// gates.hpp -- the gates of a plan while it is made: who causes them, and who waits for them.
#pragma once

#include <mutex>
#include <vector>

#include "prediction/simulation/plan.hpp"
#include "prediction/simulation/queue_gates.hpp"

namespace tarry {

/// An item of a call of a process.
struct GateItem {
  RankIndex rank{};
  CallIndex call{};
  CallItem item;
};
static_assert(sizeof(GateItem) == 16);

/// Takes gates and items from several workers.
class Gates {
 public:
  explicit Gates(const Trace& trace) : all_(trace.budget()), items_(trace.budget()), first_(trace.ranks().size() + 1) {}

  /// To be held while gates or items are added.
  std::mutex& mutex() { return mutex_; }

  GateIndex add() {
    const GateIndex gate = all_.next_id();
    all_.push_back({});
    return gate;
  }

  /// One more cause of a gate, at a recorded time.
  void cause(GateIndex gate, Ticks recorded) {
    ++all_[gate].unknown;
    all_[gate].recorded = std::max(all_[gate].recorded, recorded);
  }

  /// What was a cause in the recorded run, and is none on the changed machine.
  void past(GateIndex gate, Ticks recorded) { all_[gate].recorded = std::max(all_[gate].recorded, recorded); }

  /// `after` has `before` as one more cause. `before` has all its causes by now.
  void chain(GateIndex before, GateIndex after) {
    all_[before].next = after;
    cause(after, all_[before].recorded);
  }

  void add(RankIndex rank, CallIndex call, CallItem::Kind kind, std::uint32_t value) {
    items_.push_back({rank, call, {value, kind}});
    ++first_[rank.value + 1];
  }

  /// A call that causes a gate when it is entered.
  void signal(GateIndex gate, RankIndex rank, CallIndex call, Ticks recorded) {
    cause(gate, recorded);
    add(rank, call, CallItem::Kind::kSignal, gate.value);
  }
  void await(GateIndex gate, RankIndex rank, CallIndex call) { add(rank, call, CallItem::Kind::kAwait, gate.value); }

  /// A process does nothing before the gate is open.
  void begin(RankIndex rank, GateIndex gate) { begins_.insert(rank) = gate; }
  /// That gate; none: it begins by itself.
  GateIndex begin_of(RankIndex rank) const {
    const GateIndex* const gate = begins_.find(rank);
    return gate ? *gate : GateIndex();
  }

  bool has_cause(GateIndex gate) const { return gate.is_valid() && all_[gate].unknown > 0; }

  /// No more items will come: brings those of each process together. Items of a call keep their order.
  void sort_items();
  /// Those of a process, after that.
  std::span<const GateItem> items(RankIndex rank) const {
    return {items_.data() + first_[rank.value], items_.data() + first_[rank.value + 1]};
  }

  Indexed<GateIndex, Rows<Gate>> take() { return std::move(all_); }

 private:
  std::mutex mutex_;
  Indexed<GateIndex, Rows<Gate>> all_;
  Rows<GateItem> items_;
  std::vector<std::uint64_t>
      first_;  // items before those of a process; until they are sorted, how many the one before has
  FlatMap<RankIndex, GateIndex> begins_;
};

/// When a call of a process was entered, or left.
struct CallMoment {
  RankIndex rank{};
  CallIndex call{};
  Ticks time = 0;
};

/// The calls of `left` need those of `entered`, but none that was entered after they were left. So there are several
/// gates, each of which opens after the one before.
void connect_earlier(std::vector<CallMoment> entered, std::vector<CallMoment> left, Gates& gates);

/// Collective operations: who needs whom (docs/METRICS.md), or as Dimemas has it.
void plan_collectives(const Trace& trace, const Machine& machine, Gates& gates);

/// One-sided synchronisation: fences, epochs, locks.
void plan_windows(const Trace& trace, Gates& gates);

/// Processes that others have started begin after them.
void plan_spawns(const Trace& trace, Gates& gates);

/// A signal of a condition that lets another thread go on.
struct WakeUp {
  std::uint32_t signal = 0;  // index of ThreadEnds::signals
  GateIndex gate{};
};

/// A moment of a thread that causes a gate.
struct GateMoment {
  Ticks time = 0;
  GateIndex gate{};
};

/// The gates of the threads of one process: those of its OpenMP barriers, forks, joins, locks, and of created threads.
struct ThreadGates {
  struct OfThread {
    explicit OfThread(MemoryBudget* budget) noexcept
        : barriers(budget), acquired(budget), released(budget), starts(budget), ends(budget), wake_ups(budget) {}

    Indexed<BarrierIndex, Rows<GateIndex>> barriers;
    Indexed<LockIndex, Rows<GateIndex>> acquired, released;  // what an acquisition awaits, and what its end causes
    Indexed<ThreadStartIndex, Rows<GateIndex>> starts;
    Rows<GateIndex> ends;  // as ThreadEnds::ends
    Rows<WakeUp> wake_ups;
    GateIndex begin{};  // opens when a thread of unknown origin may begin; invalid: it begins with its process
  };
  Indexed<ThreadIndex, std::vector<OfThread>> threads;
  Indexed<ForkIndex, std::vector<GateIndex>> forks, joins;
  GateIndex begin{};               // what the process needs to begin; none: nothing
  std::vector<GateMoment> begins;  // of other threads: moments of the master, outside of its calls
  QueueGates devices;              // of calls of accelerators and their queues
};

/// The fork of the first team that a thread is in, if another thread has forked it.
const Fork* first_foreign_fork(const LogicalRank& rank, ThreadIndex thread);

/// Whether the trace tells what a thread begins with: another one created it, or calls it into a team.
bool has_known_begin(const LogicalRank& rank, ThreadIndex thread, const ThreadGates::OfThread& gates);

ThreadGates plan_threads(const LogicalRank& rank, const RegionTable& regions, Gates& gates);

/// The part of it about locks and conditions.
void plan_locks(const LogicalRank& rank, const RegionTable& regions, ThreadGates& into, Gates& gates);

}  // namespace tarry

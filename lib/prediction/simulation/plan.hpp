// plan.hpp -- a trace as the simulation goes through it: the steps of each thread, and what they wait for.
//
//   thread 0   enter a .. leave a .......... enter b ........ leave b      a step each, with the time since the last
//   one gate                    signal >-----------------------> await         opens when all its causes have signalled
//
// Messages need no gates: a send is the only cause of the receive it is matched with.
#pragma once

#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "prediction/simulation/machine.hpp"
#include "prediction/simulation/protocol.hpp"
#include "prediction/simulation/queue_gates.hpp"
#include "replay/trace.hpp"

namespace tarry {

/// Number of a thread among those of all processes.
using SimThread = StrongId<struct SimThreadTag>;
using StepIndex = StrongId<struct StepTag>;
/// Number of a change of the program whose effect is looked at (program_changes.hpp).
using ChangeIndex = StrongId<struct ChangeTag>;

inline constexpr double kUnknownTime = std::numeric_limits<double>::quiet_NaN();
inline constexpr Ticks kNoCause = std::numeric_limits<Ticks>::min();

/// What some steps cause and others wait for.
struct Gate {
  double latest = -std::numeric_limits<double>::infinity();  // simulated time of the latest cause so far
  Ticks recorded = kNoCause;                                 // recorded time of the latest cause
  std::uint32_t unknown = 0;                                 // causes that have not signalled
  GateIndex next{};                                          // one that this one causes
  SimThread waiter{};                                        // the first of those that wait
};
static_assert(sizeof(Gate) == 32);

/// What a call does when it is entered, or needs before it is left.
struct CallItem {
  enum class Kind : std::uint8_t {
    kSend,        // when entered: a message leaves
    kPost,        // a receive is posted, and somebody may wait for it
    kSignal,      // a gate
    kReceive,     // before it is left: needs the message of a receive
    kProbe,       // needs to know of that message
    kSent,        // may need the receiver of a send
    kAwait,       // needs a gate
    kCollective,  // what a collective operation costs in a network
  };

  std::uint32_t value = 0;  // index of the record or gate
  Kind kind = Kind::kSend;
};

/// The items of the calls of a process.
class CallItems {
 public:
  explicit CallItems(MemoryBudget* budget = nullptr) noexcept : first_(budget), items_(budget) {}

  /// `for_each_item` calls its argument with (call, item), twice in the same order. Items of a call keep their order.
  template <class ForEach>
  void fill(std::size_t calls, ForEach for_each_item) {
    first_.resize(calls + 2);
    for_each_item([&](CallIndex call, CallItem) { ++first_[call.value + 2]; });
    for (std::size_t i = 2; i < first_.size(); ++i) first_[i] += first_[i - 1];
    items_.resize(first_[calls + 1]);
    for_each_item([&](CallIndex call, CallItem item) { items_[first_[call.value + 1]++] = item; });
  }

  std::span<const CallItem> of(CallIndex call) const {
    return {items_.data() + first_[call.value], items_.data() + first_[call.value + 1]};
  }

 private:
  Rows<std::uint32_t> first_;
  Rows<CallItem> items_;
};

enum class StepKind : std::uint8_t {
  kPass,         // nothing but a moment
  kEnter,        // of a call
  kLeave,        // of a call
  kSignal,       // a gate
  kAwait,        // a gate: what began at the step before goes on
  kAwaitDevice,  // the same between a thread and a queue, whose clocks are only about the same
  kIdle,         // a thread without work: takes no time
};

/// A moment of a thread. Before the simulation `time` is what it takes since the step before, without waiting.
/// Afterwards it is the simulated time. In ticks since the origin of the plan.
struct SimStep {
  Ticks recorded = 0;
  double time = 0;
  std::uint32_t value = 0;  // index of the call or gate
  StepKind kind = StepKind::kPass;
};
static_assert(sizeof(SimStep) == 24);

/// Whether a thread waits for a gate until the step.
inline bool awaits_gate(StepKind kind) { return kind == StepKind::kAwait || kind == StepKind::kAwaitDevice; }
/// Whether it waits until the step, in a call or for a gate.
inline bool ends_wait(StepKind kind) { return kind == StepKind::kLeave || awaits_gate(kind); }

/// The part of what a step takes, waiting aside, that a change takes away.
struct StepCut {
  double share = 0;  // of 1
  StepIndex step{};
  ChangeIndex change{};
};
static_assert(sizeof(StepCut) == 16);

/// One process.
struct RankPlan {
  explicit RankPlan(MemoryBudget* budget = nullptr) noexcept
      : starts(budget), completions(budget), sent(budget), posted(budget) {}

  using Steps = Indexed<StepIndex, Rows<SimStep>>;
  Indexed<ThreadIndex, std::vector<Steps>> threads;
  Indexed<ThreadIndex, std::vector<Rows<StepCut>>> cuts;  // by step and change; none without changes
  std::vector<QueueRow> queue_rows;                       // whose steps are behind those of all threads
  CallItems starts, completions;
  Indexed<SendIndex, Rows<double>> sent;       // simulated times
  Indexed<ReceiveIndex, Rows<double>> posted;  // the same
  SimThread first_thread{};
  // The part between MPI_Init and MPI_Finalize: where it begins and ends.
  ThreadIndex init_thread = kMaster, finalize_thread = kMaster;
  StepIndex init_leave{}, finalize_enter{};
  double computation = 0;  // in between, outside MPI, by that thread: in ticks of the changed machine

  /// In `threads`: the rows of queues are from here on. A queue itself has no steps.
  ThreadIndex first_row() const { return ThreadIndex(threads.size() - queue_rows.size()); }
};

class Changes;

/// All of them. The trace has matched messages and is held by one analysis process.
struct Plan {
  /// `changes`: what can be cut from the steps; nullptr: what the machine removes.
  Plan(const Trace& of, const Machine& changed, const Changes* changes = nullptr);

  const Trace& trace;
  const Machine& machine;
  Protocol protocol;
  Indexed<RankIndex, ParallelArray<RankPlan>> ranks;
  Indexed<GateIndex, Rows<Gate>> gates;
  Ticks origin = 0;                                           // the first event
  Indexed<ChangeIndex, std::vector<double>> cut_strengths{};  // how much simulate() takes away of each change
};

}  // namespace tarry

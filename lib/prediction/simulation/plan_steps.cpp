// plan_steps.cpp -- the steps of the threads of a process, with the time that lies between them.
//
//   thread     ..work..[ MPI_Recv     ]..work..[ barrier ]..
//   steps              enter      leave        signal    await
//   position           p                       q                   of the time log, where time in between is found
//
// The log between two positions holds the time of the visit at the first, and what the thread did until the second.
// What it did may take longer or shorter on the changed machine.
#include "prediction/simulation/plan_steps.hpp"

#include <algorithm>

#include "prediction/simulation/cut_steps.hpp"
#include "base/arrays/sort_runs.hpp"

namespace tarry {
namespace {

// Ends come before begins, inner ones before outer ones.
enum Order : std::uint8_t { kFirst, kVisitEnd, kTeamEnd, kJoin, kIdleBegin, kFork, kTeamBegin, kVisitBegin, kLast };

// The drafts of one thread.
class ThreadDrafts {
 public:
  ThreadDrafts(const LogicalRank& rank, ThreadIndex number, const ThreadGates::OfThread& gates,
               const ThreadGates& of_process)
      : rank_(rank),
        number_(number),
        thread_(rank.threads[number]),
        gates_(gates),
        of_process_(of_process),
        drafts_(rank.calls.budget()) {}

  /// `calls`: of this thread.
  Rows<StepDraft> make(const Rows<CallIndex>& calls) {
    add_begin();
    add_calls(calls);
    add_barriers();
    add_parallels();
    add_locks();
    add_starts();
    add_ends();
    add_wake_ups();
    add_launches();
    add_device_waits();
    if (number_ == kMaster) add_begins_of_others();
    add({.time = thread_.last_time, .position = thread_.log.end(), .order = kLast});
    sort_runs(drafts_, [](const StepDraft& a, const StepDraft& b) {
      return a.time != b.time ? a.time < b.time : a.order < b.order;
    });
    return std::move(drafts_);
  }

 private:
  void add(const StepDraft& draft) { drafts_.push_back(draft); }

  // A thread that another one creates, or calls into its team, is idle before.
  void add_begin() {
    Ticks first = thread_.first_time;
    if (const Fork* const fork = first_foreign_fork(rank_, number_)) first = std::min(first, fork->fork_time);
    const bool is_idle = has_known_begin(rank_, number_, gates_);
    const GateIndex begin = gates_.begin.is_valid() ? gates_.begin : of_process_.begin;
    const StepKind kind = is_idle ? StepKind::kIdle : begin.is_valid() ? StepKind::kAwait : StepKind::kPass;
    add({first, kNoPath, 0, begin.value, kind, kFirst});
  }

  static std::uint8_t end_order(Ticks enter, Ticks leave) { return leave > enter ? kVisitEnd : kVisitBegin; }

  // Visits may lie in one another. Calls are in the order in which they are entered.
  void add_calls(const Rows<CallIndex>& calls) {
    std::vector<CallIndex> open;
    const auto leave_until = [&](Ticks time) {
      for (; !open.empty() && rank_.calls[open.back()].leave() <= time; open.pop_back()) {
        const MpiCall& call = rank_.calls[open.back()];
        add({call.leave(), call.path, kNoPosition, open.back().value, StepKind::kLeave,
             end_order(call.enter, call.leave())});
      }
    };
    for (const CallIndex i : calls) {
      const MpiCall& call = rank_.calls[i];
      leave_until(call.enter);
      const PathIndex outer = open.empty() ? kNoPath : rank_.calls[open.back()].path;
      add({call.enter, outer, call.position, i.value, StepKind::kEnter, kVisitBegin});
      open.push_back(i);
    }
    leave_until(std::numeric_limits<Ticks>::max());
  }

  void add_barriers() {
    for (const BarrierIndex i : thread_.barriers.ids()) {
      const ThreadBarrier& barrier = thread_.barriers[i];
      const GateIndex gate = gates_.barriers.has(i) ? gates_.barriers[i] : GateIndex();
      const StepKind begin = gate.is_valid() ? StepKind::kSignal : StepKind::kPass;
      const StepKind end = gate.is_valid() ? StepKind::kAwait : StepKind::kPass;
      add({barrier.ready, kNoPath, barrier.position, gate.value, begin, kVisitBegin});
      add({barrier.leave, barrier.path, kNoPosition, gate.value, end, end_order(barrier.ready, barrier.leave)});
    }
  }

  void add_parallels() {
    if (of_process_.forks.empty()) return;
    for (const ParallelEntry& entry : thread_.parallels)
      rank_.forks[entry.fork].thread == number_ ? add_own_team(entry) : add_foreign_team(entry);
  }

  void add_own_team(const ParallelEntry& entry) {
    const Fork& fork = rank_.forks[entry.fork];
    add({fork.fork_time, kNoPath, entry.position, of_process_.forks[entry.fork].value, StepKind::kSignal, kFork});
    if (!fork.is_joined) return;
    add({.time = entry.leave, .order = kTeamEnd});
    add({fork.join_time, entry.path, fork.join_position, of_process_.joins[entry.fork].value, StepKind::kAwait, kJoin});
  }

  void add_foreign_team(const ParallelEntry& entry) {
    const Fork& fork = rank_.forks[entry.fork];
    add({fork.fork_time, kNoPath, entry.position, 0, StepKind::kIdle, kIdleBegin});
    add({entry.enter, entry.path, kNoPosition, of_process_.forks[entry.fork].value, StepKind::kAwait, kTeamBegin});
    add({entry.leave, kNoPath, kNoPosition, of_process_.joins[entry.fork].value, StepKind::kSignal, kTeamEnd});
    if (fork.is_joined && fork.join_time >= entry.leave)
      add({fork.join_time, entry.path, kNoPosition, 0, StepKind::kIdle, kJoin});
  }

  void add_locks() {
    thread_.locks.for_each([&](LockIndex number, const LockAcquisition& lock, const LockPlace& place) {
      if (!gates_.acquired.has(number)) return;
      if (const GateIndex gate = gates_.acquired[number]; gate.is_valid()) {
        add({lock.enter, kNoPath, place.enter.position, 0, StepKind::kPass, kVisitBegin});
        add({lock.acquire, lock.path, kNoPosition, gate.value, StepKind::kAwait, end_order(lock.enter, lock.acquire)});
      }
      const LogPosition released = place.release.time == lock.release ? place.release.position : kNoPosition;
      if (const GateIndex gate = gates_.released[number]; gate.is_valid())
        add({lock.release, kNoPath, released, gate.value, StepKind::kSignal, kVisitEnd});
    });
  }

  void add_starts() {
    for (const ThreadStartIndex i : thread_.starts.ids()) {
      const ThreadStart& start = thread_.starts[i];
      const GateIndex gate = gates_.starts.has(i) ? gates_.starts[i] : GateIndex();
      if (!gate.is_valid()) continue;
      const StepKind kind = start.is_begin ? StepKind::kAwait : StepKind::kSignal;
      add({start.moment.time, kNoPath, start.moment.position, gate.value, kind, kVisitEnd});
    }
  }

  void add_ends() {
    for (std::size_t i = 0; i < gates_.ends.size(); ++i) {
      const ThreadEnd& end = thread_.ends->ends[i];
      const GateIndex gate = gates_.ends[i];
      if (!gate.is_valid()) continue;
      const StepKind begin = end.is_join ? StepKind::kPass : StepKind::kSignal;
      add({end.moment.time, kNoPath, end.moment.position, gate.value, begin, end.is_join ? kVisitBegin : kVisitEnd});
      if (end.is_join)
        add({end.time, end.moment.path, kNoPosition, gate.value, StepKind::kAwait,
             end_order(end.moment.time, end.time)});
    }
  }

  void add_wake_ups() {
    for (const WakeUp& wake_up : gates_.wake_ups) {
      const ThreadMoment& signal = thread_.ends->signals[wake_up.signal];
      add({signal.time, kNoPath, signal.position, wake_up.gate.value, StepKind::kSignal, kVisitBegin});
    }
  }

  void add_launches() {
    for (const DeviceCallGate& launch : of_process_.devices.launches)
      if (const DeviceCall& call = rank_.device_calls[launch.call]; call.thread == number_)
        add({call.enter.time, kNoPath, call.enter.position, launch.gate.value, StepKind::kSignal, kVisitBegin});
  }

  void add_device_waits() {
    for (const DeviceCallGate& wait : of_process_.devices.waits) {
      const DeviceCall& call = rank_.device_calls[wait.call];
      if (call.thread != number_) continue;
      add({call.enter.time, kNoPath, call.enter.position, 0, StepKind::kPass, kVisitBegin});
      add({call.leave, call.enter.path, kNoPosition, wait.gate.value, StepKind::kAwaitDevice,
           end_order(call.enter.time, call.leave)});
    }
  }

  void add_begins_of_others() {
    for (const GateMoment& begin : of_process_.begins)
      add({begin.time, kNoPath, kNoPosition, begin.gate.value, StepKind::kSignal, kVisitEnd});
  }

  const LogicalRank& rank_;
  const ThreadIndex number_;
  const LogicalThread& thread_;
  const ThreadGates::OfThread& gates_;
  const ThreadGates& of_process_;
  Rows<StepDraft> drafts_;
};

// Makes steps of drafts: finds how long each takes on the changed machine.
class StepMaker {
 public:
  StepMaker(const LogicalThread& thread, const WorkFactors& factors, const Rows<StepDraft>& drafts, Ticks origin,
            RankPlan::Steps& steps)
      : thread_(thread), factors_(factors), drafts_(drafts), origin_(origin), steps_(steps) {}

  void make() {
    for (std::size_t i = 0; i < drafts_.size(); ++i) make_step(i);
    steps_.finish();
    if (factors_.are_one) return;
    std::size_t first = 0;
    for (std::size_t i = 1; i < drafts_.size(); ++i) {
      if (drafts_[i].position == kNoPosition) continue;
      scale(first, i);
      first = i;
    }
  }

 private:
  // As recorded.
  void make_step(std::size_t i) {
    const StepDraft& draft = drafts_[i];
    const Ticks before = i == 0 ? origin_ : drafts_[i - 1].time;
    const bool takes_time = draft.kind != StepKind::kIdle;
    steps_.push_back({draft.time, takes_time ? static_cast<double>(draft.time - before) : 0, draft.value, draft.kind});
  }

  // What the thread did by itself between two positions, by call path. What the log does not know lies in no region.
  void scale(std::size_t first, std::size_t last) {
    double logged = 0, scaled = 0, recorded = 0;
    thread_.log.for_each(drafts_[first].position, drafts_[last].position, [&](PathIndex path, Ticks ticks) {
      logged += static_cast<double>(ticks);
      scaled += static_cast<double>(ticks) * factors_.of_path[path];
    });
    for (std::size_t i = first + 1; i <= last; ++i) {
      const auto ticks = static_cast<double>(drafts_[i].time - drafts_[i - 1].time);
      if (drafts_[i].is_work()) recorded += ticks;
      if (drafts_[i].inside == kNoPath) continue;
      logged -= ticks;
      scaled -= ticks * factors_.of_path[drafts_[i].inside];
    }
    if (recorded > logged) scaled += (recorded - logged) * factors_.elsewhere;
    if (recorded <= 0) return;
    const double factor = std::max(0.0, scaled) / std::max(recorded, logged);
    for (std::size_t i = first + 1; i <= last; ++i)
      if (drafts_[i].is_work()) steps_[i].time *= factor;
  }

  const LogicalThread& thread_;
  const WorkFactors& factors_;
  const Rows<StepDraft>& drafts_;
  const Ticks origin_;
  RankPlan::Steps& steps_;
};

// Of one thread, between two of its calls, on the changed machine: what it does outside MPI.
double computation_between(const LogicalThread& thread, const MpiCall& init, const MpiCall& finalize,
                           const WorkFactors& factors) {
  double logged = 0, scaled = 0;
  thread.log.for_each(init.position, finalize.position, [&](PathIndex path, Ticks time) {
    const auto ticks = static_cast<double>(time);
    logged += ticks;
    if (!factors.is_mpi[path]) scaled += ticks * factors.of_path[path];
  });
  const auto recorded = static_cast<double>(finalize.enter - init.enter);
  return scaled + std::max(0.0, recorded - logged) * factors.elsewhere;
}

// What of it is waiting for accelerators.
double device_waits_between(const LogicalRank& rank, const std::vector<DeviceCallGate>& waits, const MpiCall& init,
                            const MpiCall& finalize, const WorkFactors& factors) {
  double sum = 0;
  for (const DeviceCallGate& wait : waits) {
    const DeviceCall& call = rank.device_calls[wait.call];
    const bool is_between = call.enter.time >= init.leave() && call.leave <= finalize.enter;
    if (is_between && call.thread == init.thread && !factors.is_mpi[call.enter.path])
      sum += static_cast<double>(call.leave - call.enter.time) * factors.of_path[call.enter.path];
  }
  return sum;
}

// Where both calls are in one thread.
void note_computation(const LogicalRank& rank, const std::vector<DeviceCallGate>& waits, const WorkFactors& factors,
                      RankPlan& plan) {
  if (!plan.init_leave.is_valid() || !plan.finalize_enter.is_valid() || plan.init_thread != plan.finalize_thread)
    return;
  const RankPlan::Steps& steps = plan.threads[plan.init_thread];
  const MpiCall& init = rank.calls[CallIndex(steps[plan.init_leave].value)];
  const MpiCall& finalize = rank.calls[CallIndex(steps[plan.finalize_enter].value)];
  const double waiting = device_waits_between(rank, waits, init, finalize, factors);
  plan.computation =
      std::max(0.0, computation_between(rank.threads[plan.init_thread], init, finalize, factors) - waiting);
}

void note_part(const LogicalRank& rank, ThreadIndex thread, const RankPlan::Steps& steps, RankPlan& plan) {
  for (const StepIndex i : steps.ids()) {
    if (steps[i].kind != StepKind::kEnter && steps[i].kind != StepKind::kLeave) continue;
    const CallClass call = rank.calls[CallIndex(steps[i].value)].call;
    if (call == CallClass::kInit && steps[i].kind == StepKind::kLeave && !plan.init_leave.is_valid()) {
      plan.init_thread = thread;
      plan.init_leave = i;
    }
    if (call == CallClass::kFinalize && steps[i].kind == StepKind::kEnter) {
      plan.finalize_thread = thread;
      plan.finalize_enter = i;
    }
  }
}

}  // namespace

std::vector<Rows<CallIndex>> calls_of_threads(const LogicalRank& rank) {
  std::vector<Rows<CallIndex>> calls = rows_of<CallIndex>(rank.threads.size(), rank.calls.budget());
  for (const CallIndex i : rank.calls.ids()) calls[rank.calls[i].thread.value].push_back(i);
  for (Rows<CallIndex>& of_thread : calls)
    sort_runs(of_thread, [&](CallIndex a, CallIndex b) {
      const MpiCall &left = rank.calls[a], &right = rank.calls[b];
      if (left.enter != right.enter) return left.enter < right.enter;
      return left.position != right.position ? left.position < right.position : left.leave() > right.leave();
    });
  return calls;
}

void plan_steps(const Trace& trace, RankIndex index, const ThreadGates& gates, const ChangedWork& work, Ticks origin,
                RankPlan& plan) {
  const LogicalRank& rank = trace.ranks()[index];
  const std::vector<Rows<CallIndex>> calls = calls_of_threads(rank);
  for (const ThreadIndex t : rank.threads.ids()) {
    const LogicalThread& thread = rank.threads[t];
    RankPlan::Steps& steps = plan.threads.emplace_back(Rows<SimStep>(trace.budget()));
    Rows<StepCut>* const cuts = work.changes ? &plan.cuts.emplace_back(trace.budget()) : nullptr;
    if (thread.event_count == 0 || thread.is_queue) continue;
    const Rows<StepDraft> drafts = ThreadDrafts(rank, t, gates.threads[t], gates).make(calls[t.value]);
    StepMaker(thread, work.factors, drafts, origin, steps).make();
    if (cuts) cut_steps({thread, work.factors, drafts}, work.changes->of(index), t, *cuts);
    note_part(rank, t, steps, plan);
  }
  note_computation(rank, gates.devices.waits, work.factors, plan);
}

}  // namespace tarry

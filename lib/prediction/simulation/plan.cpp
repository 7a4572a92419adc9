// plan.cpp -- a trace as the simulation goes through it: the steps of each thread, and what they wait for.
#include "prediction/simulation/plan.hpp"

#include <algorithm>

#include "prediction/simulation/program_changes.hpp"
#include "prediction/simulation/gates.hpp"
#include "prediction/simulation/plan_steps.hpp"
#include "prediction/simulation/queue_steps.hpp"
#include "prediction/simulation/work_factors.hpp"

namespace tarry {
namespace {

Ticks first_time(const Trace& trace) {
  Ticks first = std::numeric_limits<Ticks>::max();
  for (const LogicalRank& rank : trace.ranks())
    for (const LogicalThread& thread : rank.threads)
      if (thread.event_count > 0) first = std::min(first, thread.first_time);
  return first == std::numeric_limits<Ticks>::max() ? 0 : first;
}

// Whether somebody may wait until a receive is posted.
bool is_posting_awaited(const Trace& trace, const LogicalRank& rank, const Receive& receive, const Protocol& protocol) {
  if (!receive.is_matched()) return false;
  const LogicalRank& sender = trace.ranks()[rank.sender_of(receive)];
  return protocol.wait_of(sender, sender.sends[receive.send]) != SendWait::kNone;
}

// What the calls of a process do when they are entered.
void plan_starts(const Trace& trace, const LogicalRank& rank, const Protocol& protocol,
                 std::span<const GateItem> of_gates, RankPlan& plan) {
  plan.starts.fill(rank.calls.size(), [&](auto visit) {
    for (const ReceiveIndex i : rank.receives.ids())
      if (is_posting_awaited(trace, rank, rank.receives[i], protocol))
        visit(rank.receives[i].request_call, CallItem{i.value, CallItem::Kind::kPost});
    for (const SendIndex i : rank.sends.ids()) visit(rank.sends[i].call, CallItem{i.value, CallItem::Kind::kSend});
    for (const GateItem& of_gate : of_gates)
      if (of_gate.item.kind == CallItem::Kind::kSignal) visit(of_gate.call, of_gate.item);
  });
}

// What they need before they are left.
void plan_completions(const LogicalRank& rank, const Protocol& protocol, std::span<const GateItem> of_gates,
                      RankPlan& plan) {
  plan.completions.fill(rank.calls.size(), [&](auto visit) {
    for (const ReceiveIndex i : rank.receives.ids())
      if (rank.receives[i].is_matched()) visit(rank.receives[i].call, CallItem{i.value, CallItem::Kind::kReceive});
    for (const Probe& probe : rank.probes)
      if (probe.receive.is_valid() && rank.receives[probe.receive].is_matched())
        visit(probe.call, CallItem{probe.receive.value, CallItem::Kind::kProbe});
    for (const SendIndex i : rank.sends.ids())
      if (rank.sends[i].completion_call.is_valid() && protocol.wait_of(rank, rank.sends[i]) != SendWait::kNone)
        visit(rank.sends[i].completion_call, CallItem{i.value, CallItem::Kind::kSent});
    for (const GateItem& of_gate : of_gates)
      if (of_gate.item.kind != CallItem::Kind::kSignal) visit(of_gate.call, of_gate.item);
  });
}

void plan_devices(const Trace& trace, RankIndex rank, const Machine& machine, ThreadGates& into, Gates& gates) {
  Indexed<ThreadIndex, std::vector<GateIndex>> begins;
  for (const ThreadGates::OfThread& thread : into.threads) begins.push_back(thread.begin);
  const std::lock_guard lock(gates.mutex());
  into.devices = plan_queues(trace.ranks()[rank], machine, trace.definitions().clock.ticks_per_second, begins, gates);
}

// An array that grows step by step takes much room; this one does not grow.
template <class Times>
void set_unknown(Times& times, std::size_t count) {
  times.resize(count);
  std::ranges::fill(times, kUnknownTime);
}

}  // namespace

Plan::Plan(const Trace& of, const Machine& changed, const Changes* changes)
    : trace(of),
      machine(changed),
      protocol(of, changed),
      ranks(of.workers(), of.ranks().size(), of.budget()),
      origin(first_time(of)) {
  if (!changes && machine.removed) {
    changes = &machine.removed->changes;
    cut_strengths = machine.removed->strengths;
  }
  Gates planned(trace);
  plan_collectives(trace, machine, planned);
  if (machine.has_window_waits()) plan_windows(trace, planned);
  plan_spawns(trace, planned);
  planned.sort_items();
  const AllWorkFactors factors(trace, machine);
  trace.for_each_hosted([&](RankIndex r) {
    const LogicalRank& rank = trace.ranks()[r];
    RankPlan& plan = ranks[r];
    ThreadGates of_threads = plan_threads(rank, trace.regions(), planned);
    of_threads.begin = planned.begin_of(r);
    plan_devices(trace, r, machine, of_threads, planned);
    const WorkFactors of_rank = factors.of(r);
    plan_steps(trace, r, of_threads, {of_rank, changes}, origin, plan);
    plan_queue_steps(trace, r, of_threads.devices, {factors, machine, changes}, origin, plan);
    plan_starts(trace, rank, protocol, planned.items(r), plan);
    plan_completions(rank, protocol, planned.items(r), plan);
    set_unknown(plan.sent, rank.sends.size());
    set_unknown(plan.posted, rank.receives.size());
  });
  std::uint32_t threads = 0;
  for (RankPlan& plan : ranks) {
    plan.first_thread = SimThread(threads);
    threads += static_cast<std::uint32_t>(plan.threads.size());
  }
  gates = planned.take();
}

}  // namespace tarry

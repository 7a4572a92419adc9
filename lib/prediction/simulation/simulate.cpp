// simulate.cpp -- goes through a plan: when each step happens on the changed machine.
//
//   recorded    enter E ......... cause C ....... leave L        rest = L - max(E, C): transfer and overhead
//   simulated   L' = max(E', C') + rest                          in the recorded network
//               L' = max(E', C' + cost)                          in another one
//
// A cause that was recorded later than the effect (C > L: clocks differ) keeps its distance: L' >= C' - (C - L).
// So nothing moves as long as nothing changes. Source: docs/SIMULATION.md.
#include "prediction/simulation/simulate.hpp"

#include <algorithm>
#include <bit>
#include <deque>
#include <queue>
#include <tuple>

#include "prediction/simulation/variant_times.hpp"
#include "prediction/simulation/plan_times.hpp"

namespace tarry {
namespace {

// What a thread waits for before it leaves a call, or goes on behind a gate. Few waits need all times: of many
// machines, to set one costs as much as a step.
template <class Time>
struct Wait {
  Time ready{};        // simulated time of what was waited for, without the rest; the thread's own before that
  Time met{};          // of a collective operation: when all that it needs are there, if that is not the thread's own
  Time skewed{};       // by causes that were recorded too late, if there are some
  Ticks recorded = 0;  // the latest of recorded begin and causes
  bool has_met = false, has_skewed = false;

  void meet(const Time& begin, const Time& time) {
    met = later(has_met ? met : begin, time);
    has_met = true;
  }
  void skew(const Time& time) {
    skewed = has_skewed ? later(skewed, time) : time;
    has_skewed = true;
  }
  void begin(const Time& time, Ticks when) {
    ready = time;
    recorded = when;
    has_met = has_skewed = false;
  }
};

// A thread on its way.
template <class Time>
struct ThreadState {
  ThreadState(RankIndex of_rank, ThreadIndex number) : rank(of_rank), thread(number) {}

  RankIndex rank;
  ThreadIndex thread;
  StepIndex next{0};
  std::uint32_t item = 0;  // the next one of a call that it leaves
  bool is_leaving = false;
  bool is_queued = false;
  bool is_forced = false;                      // waits no longer for what it is blocked on
  SimThread next_waiter{}, previous_waiter{};  // at the same gate
  // What it is blocked on: a gate, the message of a send, or the posting of a receive.
  GateIndex gate{};
  RankIndex peer{};
  SendIndex send{};
  ReceiveIndex receive{};
  Time last{};  // simulated time of the step before the next one
  Wait<Time> wait;

  bool is_blocked() const { return gate.is_valid() || send.is_valid() || receive.is_valid(); }
  void unblock() {
    gate = {};
    send = {};
    receive = {};
  }
};

// `Store`: where the times lie, and how many machines they are of (plan_times.hpp, variant_times.hpp).
template <class Store>
class Simulation {
  using Time = typename Store::Time;
  using ThreadState = tarry::ThreadState<Time>;
  using Wait = tarry::Wait<Time>;

 public:
  Simulation(Plan& plan, Store& store) : plan_(plan), store_(store), trace_(plan.trace), machine_(plan.machine) {
    const double rate = trace_.definitions().clock.ticks_per_second;
    if (machine_.network) {
      latency_ = machine_.network->latency * rate;
      ticks_per_byte_ = machine_.network->seconds_per_byte * rate;
    }
    for (const RankIndex r : plan.ranks.ids())
      for (const ThreadIndex t : plan.ranks[r].threads.ids()) threads_.emplace_back(r, t);
    for (const SimThread thread : threads_.ids()) queue(thread);
  }

  SimulationOutcome run() {
    do
      while (!queue_.empty()) {
        const SimThread thread = queue_.front();
        queue_.pop_front();
        threads_[thread].is_queued = false;
        advance(thread);
        if (has_stopped_) note_moved(thread);
      }
    while (force_first());
    return std::move(outcome_);
  }

 private:
  void queue(SimThread thread) {
    if (std::exchange(threads_[thread].is_queued, true)) return;
    queue_.push_back(thread);
  }

  RankPlan::Steps& steps_of(const ThreadState& thread) { return plan_.ranks[thread.rank].threads[thread.thread]; }
  double ticks(Ticks recorded) const { return static_cast<double>(recorded - plan_.origin); }

  // What was recorded of the step before.
  struct Start {
    Ticks recorded;
    StepKind kind;
  };
  Start start_of(const ThreadState& thread, const RankPlan::Steps& steps) const {
    if (thread.next.value == 0) return {plan_.origin, StepKind::kPass};
    const SimStep& before = steps[StepIndex(thread.next.value - 1)];
    return {before.recorded, before.kind};
  }

  void advance(SimThread number) {
    ThreadState& thread = threads_[number];
    RankPlan::Steps& steps = steps_of(thread);
    for (; steps.has(thread.next); ++thread.next.value) {
      SimStep& step = steps[thread.next];
      if (ends_wait(step.kind)) {
        const Start start = start_of(thread, steps);
        if (!thread.is_leaving) begin_wait(thread, start);
        if (!(step.kind == StepKind::kLeave ? leave(number, step) : pass_gate(number, start, step))) return;
        thread.is_leaving = false;
      } else {
        store_.pass(thread.last, number, thread.next, step.time);
        if (step.kind == StepKind::kEnter) enter(thread, CallIndex(step.value));
        if (step.kind == StepKind::kSignal) signal(GateIndex(step.value), thread.last);
      }
      store_.keep(number, thread.next, step, thread.last);
    }
  }

  // ---- what a call does when it is entered

  void enter(ThreadState& thread, CallIndex call) {
    const LogicalRank& rank = trace_.ranks()[thread.rank];
    for (const CallItem item : plan_.ranks[thread.rank].starts.of(call)) switch (item.kind) {
        case CallItem::Kind::kSend: send(thread.rank, rank, SendIndex(item.value), thread.last); break;
        case CallItem::Kind::kPost: post(thread.rank, rank, ReceiveIndex(item.value), thread.last); break;
        default: signal(GateIndex(item.value), thread.last);
      }
  }

  void send(RankIndex from, const LogicalRank& rank, SendIndex index, Time& time) {
    const Send& send = rank.sends[index];
    if (machine_.is_like_dimemas && rank.receiver_of(send) != from) time += latency_;
    if (!send.is_matched()) return;
    store_.set_sent(from, index, time);
    const RankIndex to = rank.receiver_of(send);
    const LogicalRank& receiver = trace_.ranks()[to];
    const auto is_waiting = [&](const ThreadState& thread) { return thread.send == index && thread.peer == from; };
    wake_if(to, receiver.calls[receiver.receives[send.receive].call].thread, is_waiting);
    // A probe may be in another thread than the receive.
    if (const auto& all = plan_.ranks[to].threads; all.size() > 1 && !receiver.probes.empty())
      for (const ThreadIndex t : all.ids()) wake_if(to, t, is_waiting);
  }

  void post(RankIndex at, const LogicalRank& rank, ReceiveIndex index, const Time& time) {
    const Receive& receive = rank.receives[index];
    store_.set_posted(at, index, time);
    const auto is_waiting = [&](const ThreadState& thread) { return thread.receive == index && thread.peer == at; };
    wake_if(at, rank.calls[receive.call].thread, is_waiting);
    const RankIndex from = rank.sender_of(receive);
    const LogicalRank& sender = trace_.ranks()[from];
    if (const CallIndex call = sender.sends[receive.send].completion_call; call.is_valid())
      wake_if(from, sender.calls[call].thread, is_waiting);
  }

  template <class Condition>
  void wake_if(RankIndex rank, ThreadIndex thread, Condition is_waiting) {
    const SimThread number(plan_.ranks[rank].first_thread.value + thread.value);
    if (is_waiting(threads_[number])) queue(number);
  }

  void signal(GateIndex index, Time time) {
    for (bool is_open = true; is_open && index.is_valid();) {
      Gate& gate = store_.gate(index);
      Time& latest = store_.latest(index);
      latest = later(latest, time);
      is_open = --gate.unknown == 0;
      if (!is_open) return;
      for (SimThread waiter = std::exchange(gate.waiter, {}); waiter.is_valid();) {
        queue(waiter);
        threads_[waiter].previous_waiter = {};
        waiter = std::exchange(threads_[waiter].next_waiter, {});
      }
      time = latest;
      index = gate.next;
    }
  }

  // ---- what has to be there before it goes on

  // An idle thread can go on at any time.
  static void begin_wait(ThreadState& thread, const Start& start) {
    thread.is_leaving = true;
    thread.item = 0;
    thread.wait.begin(thread.last, start.kind == StepKind::kIdle ? kNoCause : start.recorded);
  }

  // The cause was recorded at one time and is simulated at another; its effect comes `cost` later at the earliest.
  void depend(Wait& wait, const Time& simulated, Ticks recorded, Ticks effect, double cost) const {
    if (recorded > effect && !machine_.is_like_dimemas) {
      wait.skew(simulated - static_cast<double>(recorded - effect));
    } else {
      wait.ready = later(wait.ready, simulated + cost);
      wait.recorded = std::max(wait.recorded, recorded);
    }
  }

  // By inexact clocks. A cause that was recorded a little later was the cause all the same.
  static void follow(Wait& wait, const Time& simulated, Ticks recorded, Ticks effect) {
    wait.ready = later(wait.ready, simulated - static_cast<double>(std::max<Ticks>(0, recorded - effect)));
    wait.recorded = std::max(wait.recorded, std::min(recorded, effect));
  }

  // The rest of the recorded time passes.
  void rest(SimThread number, Wait& wait, Ticks effect) {
    const double recorded = wait.recorded == kNoCause ? 0 : static_cast<double>(effect - wait.recorded);
    store_.pass(wait.ready, number, threads_[number].next, recorded);
  }

  static void go_on(ThreadState& thread) {
    thread.last = thread.wait.ready;
    if (thread.wait.has_skewed) thread.last = later(thread.last, thread.wait.skewed);
  }

  // False if the thread has to wait for the gate.
  bool is_open(SimThread number, GateIndex index) {
    ThreadState& thread = threads_[number];
    Gate& gate = store_.gate(index);
    if (gate.unknown == 0) {
      thread.unblock();
      return true;
    }
    if (thread.gate == index) return false;  // is in the list
    thread.gate = index;
    thread.next_waiter = std::exchange(gate.waiter, number);
    if (thread.next_waiter.is_valid()) threads_[thread.next_waiter].previous_waiter = number;
    return false;
  }

  bool pass_gate(SimThread number, const Start& start, const SimStep& step) {
    ThreadState& thread = threads_[number];
    const GateIndex index(step.value);
    const bool is_free = is_ready(thread, [&] { return is_open(number, index); });
    if (!is_free) return false;
    const Gate& gate = store_.gate(index);
    if (gate.unknown == 0 && gate.recorded != kNoCause) {
      if (step.kind == StepKind::kAwaitDevice) follow(thread.wait, store_.latest(index), gate.recorded, step.recorded);
      else depend(thread.wait, store_.latest(index), gate.recorded, step.recorded, 0);
    }
    if (thread.wait.recorded == kNoCause) thread.wait.recorded = start.recorded;
    rest(number, thread.wait, step.recorded);
    go_on(thread);
    return true;
  }

  // Whether the thread goes on: it need not wait, or does no longer.
  template <class Check>
  bool is_ready(ThreadState& thread, Check check) {
    if (check()) return true;
    if (!thread.is_forced) return false;
    thread.is_forced = false;
    if (thread.gate.is_valid()) leave_gate(thread);
    thread.unblock();
    return true;
  }

  void leave_gate(ThreadState& thread) {
    const SimThread next = std::exchange(thread.next_waiter, {}), previous = std::exchange(thread.previous_waiter, {});
    (previous.is_valid() ? threads_[previous].next_waiter : store_.gate(thread.gate).waiter) = next;
    if (next.is_valid()) threads_[next].previous_waiter = previous;
  }

  bool leave(SimThread number, const SimStep& step) {
    ThreadState& thread = threads_[number];
    const auto items = plan_.ranks[thread.rank].completions.of(CallIndex(step.value));
    for (; thread.item < items.size(); ++thread.item)
      if (!complete(number, items[thread.item], step.recorded)) return false;
    if (!machine_.network) rest(number, thread.wait, step.recorded);
    go_on(thread);
    return true;
  }

  bool complete(SimThread number, CallItem item, Ticks effect) {
    ThreadState& thread = threads_[number];
    const LogicalRank& rank = trace_.ranks()[thread.rank];
    switch (item.kind) {
      case CallItem::Kind::kReceive: return receive(thread, rank, ReceiveIndex(item.value), true, effect);
      case CallItem::Kind::kProbe: return receive(thread, rank, ReceiveIndex(item.value), false, effect);
      case CallItem::Kind::kSent: return sent(thread, rank, rank.sends[SendIndex(item.value)], effect);
      case CallItem::Kind::kAwait: return await(number, GateIndex(item.value), effect);
      default: pay(thread, rank.collectives[CollectiveIndex(item.value)]); return true;
    }
  }

  // The message of a receive. `needs_post`: its data comes, which may wait for the receiver.
  bool receive(ThreadState& thread, const LogicalRank& rank, ReceiveIndex index, bool needs_post, Ticks effect) {
    const Receive& receive = rank.receives[index];
    const RankIndex from = rank.sender_of(receive);
    const LogicalRank& sender = trace_.ranks()[from];
    const Send& send = sender.sends[receive.send];
    Time begin = store_.sent(from, receive.send);
    if (!knows(thread, begin, [&] { wait_for_send(thread, from, receive.send); })) return false;
    if (is_unknown(begin)) return true;
    if (needs_post && machine_.network && plan_.protocol.wait_of(sender, send) != SendWait::kNone) {
      const Time& posted = store_.posted(thread.rank, index);
      if (!knows(thread, posted, [&] { wait_for_post(thread, thread.rank, index); })) return false;
      if (!is_unknown(posted)) begin = later(begin, posted);
    }
    const bool is_own = from == thread.rank;
    if (machine_.is_like_dimemas && !is_own) thread.wait.ready += latency_;
    const double cost = is_own ? 0 : transfer(send.bytes) + (machine_.is_like_dimemas ? 0 : latency_);
    depend(thread.wait, begin, sender.calls[send.call].enter, effect, cost);
    if (needs_post && rank.probes.empty()) store_.forget_sent(from, receive.send);  // a probe could come later
    return true;
  }

  static void wait_for_send(ThreadState& thread, RankIndex from, SendIndex send) {
    thread.peer = from;
    thread.send = send;
  }
  static void wait_for_post(ThreadState& thread, RankIndex at, ReceiveIndex receive) {
    thread.peer = at;
    thread.receive = receive;
  }

  // Whether the thread goes on: the time is known, or it waits for it no longer.
  template <class WaitFor>
  bool knows(ThreadState& thread, const Time& time, WaitFor wait_for) {
    return is_ready(thread, [&] {
      thread.unblock();
      if (is_unknown(time)) wait_for();
      return !is_unknown(time);
    });
  }

  bool sent(ThreadState& thread, const LogicalRank& rank, const Send& send, Ticks effect) {
    const RankIndex to = rank.receiver_of(send);
    const Time& posted = store_.posted(to, send.receive);
    if (!knows(thread, posted, [&] { wait_for_post(thread, to, send.receive); })) return false;
    if (is_unknown(posted)) return true;
    const double cost = machine_.is_like_dimemas || to == thread.rank ? 0 : latency_ + transfer(send.bytes);
    if (plan_.protocol.wait_of(rank, send) == SendWait::kImposed) {
      thread.wait.ready = later(thread.wait.ready, posted + cost);
      return true;
    }
    const LogicalRank& receiver = trace_.ranks()[to];
    depend(thread.wait, posted, receiver.calls[receiver.receives[send.receive].request_call].enter, effect, cost);
    return true;
  }

  bool await(SimThread number, GateIndex index, Ticks effect) {
    ThreadState& thread = threads_[number];
    if (!is_ready(thread, [&] { return is_open(number, index); })) return false;
    const Gate& gate = store_.gate(index);
    if (gate.unknown > 0 || gate.recorded == kNoCause) return true;
    const Time& latest = store_.latest(index);
    depend(thread.wait, latest, gate.recorded, effect, 0);
    if (machine_.network && (gate.recorded <= effect || machine_.is_like_dimemas))
      thread.wait.meet(thread.last, latest);
    return true;
  }

  // ---- the network

  double transfer(Bytes bytes) const { return static_cast<double>(bytes) * ticks_per_byte_; }

  // Operations that one call completes go on side by side.
  void pay(ThreadState& thread, const Collective& part) const {
    Wait& wait = thread.wait;
    wait.ready = later(wait.ready, (wait.has_met ? wait.met : thread.last) + cost_of(part, thread.rank));
    wait.has_met = false;
  }

  double cost_of(const Collective& part, RankIndex rank) const {
    if (machine_.is_like_dimemas) {
      const bool is_reduce = part.operation == CollectiveOp::kReduce;
      return is_reduce ? latency_ + transfer(part.sent) : 2 * latency_ + transfer(part.sent + part.received);
    }
    const std::size_t members = trace_.communicators().members(trace_.comm_of(part, rank)).size();
    const auto others = static_cast<std::uint64_t>(members > 0 ? members - 1 : 0);
    const bool is_linear = machine_.collectives == CollectiveLaw::kLinear;
    const auto hops = static_cast<double>(is_linear ? others : static_cast<std::uint64_t>(std::bit_width(others)));
    return hops * latency_ + transfer(part.sent + part.received);
  }

  // ---- who waits for himself

  // A thread that is not done, by the recorded time of its next step.
  struct Blocked {
    Ticks recorded;
    SimThread thread;
    bool operator<(const Blocked& other) const {  // the earliest one is on top
      return std::tie(recorded, thread) > std::tie(other.recorded, other.thread);
    }
  };

  void note_moved(SimThread number) {
    const RankPlan::Steps& steps = steps_of(threads_[number]);
    moved_.push_back(number);
    if (steps.has(threads_[number].next)) blocked_.push({steps[threads_[number].next].recorded, number});
  }

  bool is_current(const Blocked& blocked) {
    const RankPlan::Steps& steps = steps_of(threads_[blocked.thread]);
    return steps.has(threads_[blocked.thread].next) &&
           steps[threads_[blocked.thread].next].recorded == blocked.recorded;
  }

  // All threads that are not done are blocked. If the trace is to blame, the earliest of them goes on all the same.
  bool force_first() {
    if (!std::exchange(has_stopped_, true))
      for (const SimThread number : threads_.ids()) note_moved(number);
    while (!blocked_.empty() && !is_current(blocked_.top())) blocked_.pop();
    if (blocked_.empty() || note_deadlock()) return false;
    const SimThread first = blocked_.top().thread;
    blocked_.pop();
    ++outcome_.ignored;
    threads_[first].is_forced = true;
    queue(first);
    return true;
  }

  // Whether a sender waits for a receiver as the machine demands. Those that have not moved did not do so before.
  bool note_deadlock() {
    std::ranges::sort(moved_);
    for (const SimThread number : std::exchange(moved_, {})) {
      const ThreadState& thread = threads_[number];
      if (!thread.receive.is_valid()) continue;
      const LogicalRank& receiver = trace_.ranks()[thread.peer];
      const Receive& receive = receiver.receives[thread.receive];
      const LogicalRank& sender = trace_.ranks()[receiver.sender_of(receive)];
      if (plan_.protocol.wait_of(sender, sender.sends[receive.send]) != SendWait::kImposed) continue;
      outcome_.is_deadlock = true;
      outcome_.sender = sender.rank;
      outcome_.receiver = receiver.rank;
      return true;
    }
    return false;
  }

  Plan& plan_;
  Store& store_;
  const Trace& trace_;
  const Machine& machine_;
  double latency_ = 0, ticks_per_byte_ = 0;  // in ticks
  Indexed<SimThread, std::vector<ThreadState>> threads_;
  std::deque<SimThread> queue_;
  bool has_stopped_ = false;      // all threads were blocked once
  std::vector<SimThread> moved_;  // since then, or since they were all blocked last
  std::priority_queue<Blocked> blocked_;
  SimulationOutcome outcome_;
};

}  // namespace

SimulationOutcome simulate(Plan& plan) {
  PlanTimes store(plan);
  return Simulation<PlanTimes>(plan, store).run();
}

// Numbers are added up four at a time where the processor can: each is rounded the same either way.
#if defined(__x86_64__)
[[gnu::flatten, gnu::target_clones("avx2", "default")]]
#endif
SimulationOutcome
simulate(Plan& plan, VariantTimes& store) {
  return Simulation<VariantTimes>(plan, store).run();
}

}  // namespace tarry

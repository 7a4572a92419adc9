// coalesced_calls.cpp -- when a coalesced visit is opened, and what is recorded of it.
#include "measure/callpath/coalesced_calls.hpp"

#include <algorithm>

#include "measure/callpath/call_path.hpp"
#include "measure/callpath/steps.hpp"
#include "measure/core/runtime.hpp"

namespace tarry::measure {

__thread CoalescedCalls t_coalesced __attribute__((tls_model("initial-exec"))) = {};
extern __thread CoalescedCalls t_coalesced_still __attribute__((alias("_ZN5tarry7measure11t_coalescedE")));

Ticks g_coalesced_length = 0;

namespace {

// The thread may look at it at any time.
void set_end(CoalescedCalls& visit, Ticks end) {
  __atomic_store_n(&visit.until[static_cast<int>(visit.function)], end, __ATOMIC_RELAXED);
}

void note_repeatable(const Thread& thread, CoalescedCalls& visit, CoalescedFunction function) {
  visit.is_repeatable = true;
  visit.repeatable = function;
  visit.recorded_to = thread.events.position();
  visit.recorded_until = thread.profile.last_time();
}

bool is_repetition(const Thread& thread, const CoalescedCalls& visit, CoalescedFunction function) {
  return visit.is_repeatable && visit.repeatable == function && visit.recorded_to == thread.events.position() &&
         visit.recorded_until == thread.profile.last_time();
}

// A visit that has lasted long enough gives way to the next one.
void end_old_visit(Thread& thread, CoalescedCalls& visit, CoalescedFunction function) {
  if (!thread.gate.has_coalesced_visit()) return;
  const bool is_same = visit.function == function;
  end_coalesced_visit(thread);
  if (is_same) note_repeatable(thread, visit, function);
}

void record_visit(Thread& thread, const CoalescedCalls& visit, Ticks duration, std::uint64_t calls) {
  const Ticks begin = visit.begin >> 1, end = begin + duration;
  if (thread.traces) {
    thread.events.enter(begin, visit.region);
    if (calls > 1) thread.events.put(end, record::Attribute{.attribute = kCallsAttribute, .value = calls});
    thread.events.leave(end);
  }
  if (thread.summarises) thread.profile.visit(begin, visit.region, duration, calls);
}

// When a call that has not returned began, in half ticks. After an unseen jump out of it other functions use its frame.
// What they left there is no time of the visit; the call began at some time up to now.
Ticks begin_of(const CoalescedCall& call, const CoalescedCalls& visit) {
  const Ticks now = processor::read_half_ticks();
  return call.begin >= visit.begin && call.begin <= now ? call.begin : now;
}

// As if it had not joined. Deeper calls than the frames have room for enter themselves when they return.
void enter_in_full(Thread& thread, const CoalescedCall& call, Ticks begin, RegionId region) {
  if (thread.gate.is_paused()) return;
  update_call_path(thread, begin >> 1, call.stack());
  if (!thread.frames.has_room()) return;
  note_blocked_time(thread, begin >> 1);
  thread.frames.push_call(call.stack(), thread.depth);
  enter_guarded(thread, region_of_call(thread, region), begin >> 1);
}

}  // namespace

namespace {

// Whether the call comes from the function that is open, which is not a call itself.
bool is_path_the_same(Thread& thread, const CoalescedCall& call) {
  if (thread.frames.is_any_call_on_top()) return false;
  if (!kCallPath.of(thread)) return thread.frames.top().stack >= call.stack();
  const Hold hold(thread.gate);
  return update_call_path(thread, 0, call.stack()) && !thread.frames.is_top_gone(call.stack());
}

}  // namespace

bool open_coalesced_visit(CoalescedCall& call, CoalescedFunction function, RegionId region) {
  Thread* const thread = t_thread;
  CoalescedCalls& visit = t_coalesced;
  if (!thread || !g_coalesced_length) return false;
  end_old_visit(*thread, visit, function);
  if (!thread->gate.is_open_and_plain() || !is_repetition(*thread, visit, function)) return false;
  if (!is_path_the_same(*thread, call) || !is_repetition(*thread, visit, function)) return false;
  const Hold hold(thread->gate);
  note_blocked_time(*thread, call.began());
  kCoalesced.of(*thread) = &visit;
  visit.begin = call.begin;
  visit.function = function;
  visit.region = region_of_call(*thread, region);
  visit.sum = 0;
  visit.calls = 0;
  thread->gate.begin_coalescing();
  std::atomic_signal_fence(std::memory_order_seq_cst);
  set_end(visit, call.begin + g_coalesced_length);
  return true;
}

// Counters belong to each call; and where a time stamp is a system call, coalescing would save little.
void choose_coalesced_length(Thread& thread, const ProcessFacts& facts) {
  constexpr double kSeconds = 1e-3;
  const bool is_cheap = g_clock_kind == ClockKind::kCycleCounter && !thread.counters;
  if (!settings().coalesces_tests || !is_cheap) return;
  g_coalesced_length = static_cast<Ticks>(2 * kSeconds * ticks_per_second(facts.clock_start, read_clocks()));
}

void note_unsuccessful_call(CoalescedFunction function) {
  if (const Thread* thread = t_thread) note_repeatable(*thread, t_coalesced, function);
}

void close_coalesced_visit(Thread& thread) {
  CoalescedCalls& visit = *kCoalesced.of(thread);
  set_end(visit, 0);
  thread.gate.end_coalescing();
  Ticks sum = __atomic_exchange_n(&visit.sum, CoalescedCalls::kClosed, __ATOMIC_RELAXED);
  std::uint64_t calls = visit.calls;
  const CoalescedCall* const under_way = sum < 0 ? visit.behind_call - 1 : nullptr;
  const Ticks begin = under_way ? begin_of(*under_way, visit) : 0;
  sum += begin;
  if ((sum ^ static_cast<Ticks>(calls)) & 1) ++calls;
  if (calls > 0) record_visit(thread, visit, std::max<Ticks>(sum - static_cast<Ticks>(calls), 0) / 2, calls);
  if (under_way) enter_in_full(thread, *under_way, begin, visit.region);
}

void end_coalesced_visit(Thread& thread) {
  if (!thread.gate.has_coalesced_visit()) return;
  const Guard guard(thread.gate, Guard::kEvenPaused);
  if (guard) close_coalesced_visit(thread);
}

}  // namespace tarry::measure

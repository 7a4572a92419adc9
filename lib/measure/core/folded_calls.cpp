// folded_calls.cpp -- when a fold is opened, and what is recorded of it.
#include "measure/core/folded_calls.hpp"

#include <algorithm>

#include "measure/core/recorder.hpp"

namespace tarry::measure {

__thread FoldedCalls t_folded __attribute__((tls_model("initial-exec"))) = {};
extern __thread FoldedCalls t_folded_still __attribute__((alias("_ZN5tarry7measure8t_foldedE")));

Ticks g_fold_length = 0;

namespace {

// The thread may look at it at any time.
void set_end(FoldedCalls& fold, Ticks end) {
  __atomic_store_n(&fold.until[static_cast<int>(fold.function)], end, __ATOMIC_RELAXED);
}

void note_repeatable(const Thread& thread, FoldedCalls& fold, FoldedFunction function) {
  fold.is_repeatable = true;
  fold.repeatable = function;
  fold.recorded_to = thread.events.position();
  fold.recorded_until = thread.profile.last_time();
}

bool is_repetition(const Thread& thread, const FoldedCalls& fold, FoldedFunction function) {
  return fold.is_repeatable && fold.repeatable == function && fold.recorded_to == thread.events.position() &&
         fold.recorded_until == thread.profile.last_time();
}

// A fold that has lasted long enough gives way to the next one.
void end_old_fold(Thread& thread, FoldedCalls& fold, FoldedFunction function) {
  if (!thread.gate.has_fold()) return;
  const bool is_same = fold.function == function;
  end_fold(thread);
  if (is_same) note_repeatable(thread, fold, function);
}

void record_visit(Thread& thread, const FoldedCalls& fold, Ticks duration, std::uint64_t calls) {
  const Ticks begin = fold.begin >> 1, end = begin + duration;
  if (thread.traces) {
    thread.events.enter(begin, fold.region);
    if (calls > 1) thread.events.put(EventKind::kAttribute, end, kCallsAttribute, calls);
    thread.events.leave(end);
  }
  if (thread.summarises) thread.profile.visit(begin, fold.region, duration, calls);
}

// When a call that has not returned began, in half ticks. A jump out of it that nobody saw leaves its frame to others:
// what stands there is no time of the fold then, and the call began at some time up to now.
Ticks begin_of(const FoldedCall& call, const FoldedCalls& fold) {
  const Ticks now = folding::half_ticks();
  return call.begin >= fold.begin && call.begin <= now ? call.begin : now;
}

// As if it had not joined. Deeper calls than the frames have room for enter themselves when they return.
void enter_in_full(Thread& thread, const FoldedCall& call, Ticks begin, std::uint32_t region) {
  if (thread.gate.is_paused() || !thread.frames.has_room()) return;
  thread.frames.push_call(call.stack(), thread.depth);
  enter_guarded(thread, region, begin >> 1);
}

}  // namespace

bool open_fold(FoldedCall& call, FoldedFunction function, std::uint32_t region) {
  Thread* const thread = t_thread;
  FoldedCalls& fold = t_folded;
  if (!thread || !g_fold_length) return false;
  end_old_fold(*thread, fold, function);
  if (!thread->gate.is_open_and_plain() || !is_repetition(*thread, fold, function)) return false;
  if (thread->frames.is_any_call_on_top() || thread->frames.top().stack < call.stack()) return false;
  const Hold hold(thread->gate);
  thread->folded = &fold;
  fold.begin = call.begin;
  fold.function = function;
  fold.region = region;
  fold.sum = 0;
  fold.calls = 0;
  thread->gate.fold();
  std::atomic_signal_fence(std::memory_order_seq_cst);
  set_end(fold, call.begin + g_fold_length);
  return true;
}

void note_call_in_vain(FoldedFunction function) {
  if (const Thread* thread = t_thread) note_repeatable(*thread, t_folded, function);
}

void close_fold(Thread& thread) {
  FoldedCalls& fold = *thread.folded;
  set_end(fold, 0);
  thread.gate.unfold();
  Ticks sum = __atomic_exchange_n(&fold.sum, FoldedCalls::kClosed, __ATOMIC_RELAXED);
  std::uint64_t calls = fold.calls;
  const FoldedCall* const under_way = sum < 0 ? fold.behind_call - 1 : nullptr;
  const Ticks begin = under_way ? begin_of(*under_way, fold) : 0;
  sum += begin;
  if ((sum ^ static_cast<Ticks>(calls)) & 1) ++calls;
  if (calls > 0) record_visit(thread, fold, std::max<Ticks>(sum - static_cast<Ticks>(calls), 0) / 2, calls);
  if (under_way) enter_in_full(thread, *under_way, begin, fold.region);
}

void end_fold(Thread& thread) {
  if (!thread.gate.has_fold()) return;
  const Guard guard(thread.gate, Guard::kEvenPaused);
  if (guard) close_fold(thread);
}

}  // namespace tarry::measure

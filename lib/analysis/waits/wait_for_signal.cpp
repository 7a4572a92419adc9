// wait_for_signal.cpp -- waiting time of a thread for a signal of a condition, a semaphore, the last at a barrier, or
// the end of another thread.
//
//   thread 0   [ computes        ]S[ pthread_cond_signal ]
//   thread 1      E==== waits =====|.L                             wait = S - E
//
// S: Enter of the latest call before the waiting one returned that signals the condition or posts the semaphore. At a
// barrier, threads that come before the first one leaves belong together, and wait for the Enter of the last of them.
// Who joins a thread waits until it ends.
//
// Needs: acquisitions of conditions, semaphores and barriers (lib/measure/threads), and of ends of threads
// (ThreadScan::end_thread). Leaves: RankWaits::locks.
// Source: docs/METRICS.md, "Wait for Signal".
#include "analysis/waits/wait_for_signal.hpp"

#include <algorithm>
#include <tuple>

namespace tarry {
namespace {

SignalClass class_of(const RankContext& context, const LockAcquisition& lock) {
  if (is_end_of_thread(lock.lock)) return lock.is_shared ? SignalClass::kThreadEnd : SignalClass::kGives;
  if (lock.path == kNoPath) return SignalClass::kNone;
  const SignalClass found = context.trace.regions()[context.rank.tree[lock.path].region].signal;
  // Who waits for a condition acquires the mutex, too: that has an order.
  return found == SignalClass::kCondition && !lock.is_shared ? SignalClass::kNone : found;
}

Metric metric_of_wait(SignalClass waits) {
  switch (waits) {
    case SignalClass::kCondition: return Metric::kPthreadSignalWait;
    case SignalClass::kSemaphore: return Metric::kPthreadSemaphoreWait;
    case SignalClass::kBarrier: return Metric::kPthreadBarrierWait;
    case SignalClass::kThreadEnd: return Metric::kPthreadEndWait;
    default: return Metric::kNone;
  }
}

bool has_signals(const RegionTable& regions) {
  for (const RegionId region : IdRange<RegionId>(regions.size()))
    if (regions[region].signal != SignalClass::kNone) return true;
  return false;
}

// By object, and by time.
void signals_and_waits(const RankContext& context, Rows<ThreadAcquisition>& all, SignalTimes& times) {
  std::sort(all.begin(), all.end(), [](const ThreadAcquisition& a, const ThreadAcquisition& b) {
    return std::tuple(a.lock.lock, a.lock.acquire, a.lock.is_shared, a.thread, a.number) <
           std::tuple(b.lock.lock, b.lock.acquire, b.lock.is_shared, b.thread, b.number);
  });
  const ThreadAcquisition* signal = nullptr;
  for (const ThreadAcquisition& one : all) {
    if (signal && signal->lock.lock != one.lock.lock) signal = nullptr;
    if (!one.lock.is_shared) {
      signal = &one;
      continue;
    }
    const SignalClass waits = class_of(context, one.lock);
    const bool is_ended = signal && signal->lock.acquire > one.lock.enter;
    if (waits == SignalClass::kCondition) times.add(one, is_ended ? signal->lock.acquire : one.lock.acquire);
    if (is_ended)
      book_thread_wait(context, one, *signal, metric_of_wait(waits),
                       {.begin = one.lock.enter, .end = signal->lock.acquire}, true);
  }
}

// Those of one barrier that came before the first of them left.
void same_barrier(const RankContext& context, std::span<const ThreadAcquisition> together) {
  const ThreadAcquisition& last = together.back();
  for (const ThreadAcquisition& one : together)
    book_thread_wait(context, one, last, Metric::kPthreadBarrierWait, {.begin = one.lock.enter, .end = last.lock.enter},
                     true);
}

void barriers(const RankContext& context, Rows<ThreadAcquisition>& all) {
  std::sort(all.begin(), all.end(), [](const ThreadAcquisition& a, const ThreadAcquisition& b) {
    return std::tuple(a.lock.lock, a.lock.enter, a.thread) < std::tuple(b.lock.lock, b.lock.enter, b.thread);
  });
  for (std::size_t first = 0; first < all.size();) {
    Ticks first_leave = all[first].lock.acquire;
    std::size_t end = first + 1;
    for (; end < all.size() && all[end].lock.lock == all[first].lock.lock && all[end].lock.enter < first_leave; ++end)
      first_leave = std::min(first_leave, all[end].lock.acquire);
    same_barrier(context, {all.data() + first, end - first});
    first = end;
  }
}

}  // namespace

void book_thread_wait(const RankContext& context, const ThreadAcquisition& waiting, const ThreadAcquisition& cause,
                      Metric metric, const WaitSpan& wait, bool is_signal) {
  const Ticks ticks = std::max<Ticks>(0, wait.end - wait.begin);
  if (ticks == 0 || metric == Metric::kNone) return;
  context.book_wait({.metric = metric,
                     .thread = waiting.thread,
                     .path = waiting.lock.path,
                     .enter = waiting.lock.enter,
                     .exit = wait.end,
                     .begin = wait.begin,
                     .wait = ticks,
                     .full_wait = ticks,
                     .cause = {.rank = context.rank_index(), .thread = cause.thread, .path = cause.lock.path}});
  if (!context.compatibility.thread_locks_synchronise()) return;
  context.waits.locks.push_back({.acquisition = waiting.number,
                                 .held = cause.number,
                                 .holder = cause.thread,
                                 .thread = waiting.thread,
                                 .is_signal = is_signal,
                                 .before = wait.begin - waiting.lock.enter,
                                 .wait = ticks});
}

bool is_for_signals(const RankContext& context, const LockAcquisition& lock) {
  return class_of(context, lock) != SignalClass::kNone;
}

SignalTimes waits_for_signals(const RankContext& context) {
  SignalTimes times;
  if (!context.compatibility.has_signal_waits() || !has_signals(context.trace.regions())) return times;
  Rows<ThreadAcquisition> signals(context.trace.budget()), at_barriers(context.trace.budget());
  for (const ThreadIndex t : IdRange<ThreadIndex>(context.locks.size()))
    context.locks[t.value].for_each([&](LockIndex number, const LockAcquisition& lock, const LockPlace&) {
      const SignalClass found = class_of(context, lock);
      if (found == SignalClass::kNone) return;
      (found == SignalClass::kBarrier ? at_barriers : signals).push_back({lock, number, t});
    });
  signals_and_waits(context, signals, times);
  barriers(context, at_barriers);
  return times;
}

}  // namespace tarry

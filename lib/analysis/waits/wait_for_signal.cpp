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
// A wait whose time was up is unsuccessful. Where the thread waits again at once, all of that is one wait:
//
//   thread 0   [ computes                  ]S[ sem_post ]
//   thread 1      [== timed wait ==][== timed wait ==|.L             wait: the time in these calls until S
//
// Needs: acquisitions of conditions, semaphores and barriers (lib/measure/threads), and of ends of threads
// (LockScan::end_thread). Leaves: RankWaits::locks.
// Source: docs/METRICS.md, "Wait for Signal".
#include "analysis/waits/wait_for_signal.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

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

// The time between two waits that are one: at most so many seconds, or such a part of the first one.
constexpr double kLongestGap = 20e-6, kLargestGap = 0.1;

// Unsuccessful waits that follow one another at once, and the one behind them. To be called for the waits of a thread
// in their order.
class UnsuccessfulWaits {
 public:
  struct Range {
    std::size_t first = 0, end = 0;
  };

  explicit UnsuccessfulWaits(const RankContext& context)
      : ticks_per_second_(context.trace.definitions().clock.ticks_per_second), spans_(context.trace.budget()) {}

  void begin_thread() { first_ = spans_.size(); }

  // Those right before one that was successful.
  Range add(const LockAcquisition& wait) {
    if (!is_continued_by(wait)) first_ = spans_.size();
    if (!wait.is_unsuccessful) return {std::exchange(first_, spans_.size()), spans_.size()};
    spans_.push_back({wait.enter, wait.acquire});
    last_ = wait;
    return {};
  }

  std::span<const WaitSpan> of(const Range& range) const {
    return {spans_.data() + range.first, range.end - range.first};
  }

 private:
  bool is_continued_by(const LockAcquisition& wait) const {
    if (first_ == spans_.size() || last_.lock != wait.lock || last_.path != wait.path) return false;
    const auto gap = static_cast<double>(wait.enter - last_.acquire);
    return gap <=
           std::max(kLongestGap * ticks_per_second_, kLargestGap * static_cast<double>(last_.acquire - last_.enter));
  }

  const double ticks_per_second_;
  Rows<WaitSpan> spans_;
  std::size_t first_ = 0;  // of those that may be continued
  LockAcquisition last_;
};

struct SignalOrWait : ThreadAcquisition {
  UnsuccessfulWaits::Range unsuccessful;
};

// The earliest time of a signal that ends the wait. A semaphore remembers a post. A condition forgets a signal for
// which no thread waits.
Ticks earliest_signal(const SignalOrWait& wait, std::span<const WaitSpan> unsuccessful, SignalClass waits) {
  return unsuccessful.empty() || waits == SignalClass::kCondition ? wait.lock.enter : unsuccessful.front().begin;
}

// By object, and by time.
void signals_and_waits(const RankContext& context, Rows<SignalOrWait>& all, const UnsuccessfulWaits& unsuccessful,
                       SignalTimes& times) {
  std::sort(all.begin(), all.end(), [](const SignalOrWait& a, const SignalOrWait& b) {
    return std::tuple(a.lock.lock, a.lock.acquire, a.lock.is_shared, a.thread, a.number) <
           std::tuple(b.lock.lock, b.lock.acquire, b.lock.is_shared, b.thread, b.number);
  });
  const SignalOrWait* signal = nullptr;
  for (const SignalOrWait& one : all) {
    if (signal && signal->lock.lock != one.lock.lock) signal = nullptr;
    if (!one.lock.is_shared) {
      signal = &one;
      continue;
    }
    const SignalClass waits = class_of(context, one.lock);
    const std::span<const WaitSpan> before = unsuccessful.of(one.unsuccessful);
    const bool is_ended = signal && signal->lock.acquire > earliest_signal(one, before, waits);
    if (waits == SignalClass::kCondition) times.add(one, is_ended ? signal->lock.acquire : one.lock.acquire);
    if (is_ended)
      book_signal_wait(context, one, *signal, metric_of_wait(waits),
                       {.begin = one.lock.enter, .end = signal->lock.acquire}, before);
  }
}

// Those of one barrier that came before the first of them left.
void same_barrier(const RankContext& context, std::span<const ThreadAcquisition> together) {
  const ThreadAcquisition& last = together.back();
  for (const ThreadAcquisition& one : together)
    book_signal_wait(context, one, last, Metric::kPthreadBarrierWait,
                     {.begin = one.lock.enter, .end = last.lock.enter});
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

// Ticks of a wait, with its unsuccessful calls: all of them, and those in the selected part of the trace.
struct WaitTime {
  Ticks all = 0, counted = 0;
};

WaitTime time_of(const RankContext& context, ThreadIndex thread, const WaitSpan& wait,
                 std::span<const WaitSpan> unsuccessful) {
  WaitTime time;
  const auto add = [&](Ticks begin, Ticks end) {
    if (begin >= end) return;
    time.all += end - begin;
    time.counted += context.counted(thread, begin, end);
  };
  for (const WaitSpan& part : unsuccessful) add(part.begin, std::min(part.end, wait.end));
  add(wait.begin, wait.end);
  return time;
}

void book_signal(const RankContext& context, const ThreadAcquisition& waiting, const ThreadAcquisition& cause,
                 Metric metric, const WaitSpan& wait, std::span<const WaitSpan> unsuccessful, bool is_signal) {
  const WaitTime time = time_of(context, waiting.thread, wait, unsuccessful);
  if (time.all == 0 || metric == Metric::kNone) return;
  context.book_counted({.metric = metric,
                        .thread = waiting.thread,
                        .path = waiting.lock.path,
                        .enter = waiting.lock.enter,
                        .exit = wait.end,
                        .begin = unsuccessful.empty() ? wait.begin : unsuccessful.front().begin,
                        .wait = time.counted,
                        .full_wait = time.all,
                        .cause = {.rank = context.rank_index(), .thread = cause.thread, .path = cause.lock.path}});
  if (!context.compatibility.thread_locks_synchronise()) return;
  context.waits.locks.push_back({.acquisition = waiting.number,
                                 .held = cause.number,
                                 .holder = cause.thread,
                                 .thread = waiting.thread,
                                 .is_signal = is_signal,
                                 .until = std::max<Ticks>(0, wait.end - waiting.lock.enter),
                                 .wait = time.all,
                                 .counted = time.counted});
}

}  // namespace

void book_thread_wait(const RankContext& context, const ThreadAcquisition& waiting, const ThreadAcquisition& cause,
                      Metric metric, const WaitSpan& wait) {
  book_signal(context, waiting, cause, metric, wait, {}, false);
}

void book_signal_wait(const RankContext& context, const ThreadAcquisition& waiting, const ThreadAcquisition& cause,
                      Metric metric, const WaitSpan& wait, std::span<const WaitSpan> unsuccessful) {
  book_signal(context, waiting, cause, metric, wait, unsuccessful, true);
}

bool is_for_signals(const RankContext& context, const LockAcquisition& lock) {
  return class_of(context, lock) != SignalClass::kNone;
}

SignalTimes waits_for_signals(const RankContext& context) {
  SignalTimes times;
  if (!context.compatibility.has_signal_waits() || !has_signals(context.trace.regions())) return times;
  Rows<SignalOrWait> signals(context.trace.budget());
  Rows<ThreadAcquisition> at_barriers(context.trace.budget());
  UnsuccessfulWaits unsuccessful(context);
  for (const ThreadIndex t : IdRange<ThreadIndex>(context.locks.size())) {
    unsuccessful.begin_thread();
    context.locks[t.value].for_each([&](LockIndex number, const LockAcquisition& lock, const LockPlace&) {
      const SignalClass found = class_of(context, lock);
      const ThreadAcquisition one{lock, number, t};
      if (found == SignalClass::kNone) return;
      if (found == SignalClass::kBarrier) return at_barriers.push_back(one);
      const bool may_be_unsuccessful = found == SignalClass::kCondition || found == SignalClass::kSemaphore;
      const UnsuccessfulWaits::Range before = may_be_unsuccessful ? unsuccessful.add(lock) : UnsuccessfulWaits::Range();
      if (!lock.is_unsuccessful) return signals.push_back({one, before});
      if (found == SignalClass::kCondition) times.add(one, lock.acquire);
    });
  }
  signals_and_waits(context, signals, unsuccessful, times);
  barriers(context, at_barriers);
  return times;
}

}  // namespace tarry

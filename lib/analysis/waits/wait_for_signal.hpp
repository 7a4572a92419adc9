// wait_for_signal.hpp -- what waits for locks and for signals of threads have in common.
#pragma once

#include <span>

#include "base/arrays/flat_map.hpp"
#include "analysis/waits/pattern.hpp"

namespace tarry {

/// An acquisition of a lock in its thread.
struct ThreadAcquisition {
  LockAcquisition lock;
  LockIndex number;
  ThreadIndex thread;
};

/// When a thread began to wait in its call, and when what it waited for happened.
struct WaitSpan {
  Ticks begin = 0, end = 0;
};

/// Books a wait of a thread for another one, if it is one.
void book_thread_wait(const RankContext& context, const ThreadAcquisition& waiting, const ThreadAcquisition& cause,
                      Metric metric, const WaitSpan& wait);

/// Books a wait of a thread for a signal of another one. `unsuccessful`: earlier calls that are part of the wait.
void book_signal_wait(const RankContext& context, const ThreadAcquisition& waiting, const ThreadAcquisition& cause,
                      Metric metric, const WaitSpan& wait, std::span<const WaitSpan> unsuccessful = {});

/// When waits for conditions began to wait for the mutex.
class SignalTimes {
 public:
  void add(const ThreadAcquisition& condition, Ticks signal) { signal_of_.insert(key_of(condition)) = signal; }

  /// The signal. In a wait that no signal ended, the end; in a trace without signals, the Enter.
  Ticks end_of_wait(const ThreadAcquisition& mutex) const {
    const Ticks* const signal = signal_of_.find(key_of(mutex));
    return signal ? std::max(*signal, mutex.lock.enter) : mutex.lock.enter;
  }

 private:
  // Both are acquired in one call, which has entered at a time of its own.
  static std::uint64_t key_of(const ThreadAcquisition& of) {
    return mix_bits(static_cast<std::uint64_t>(of.lock.enter)) ^ of.thread.value;
  }

  FlatMap<std::uint64_t, Ticks> signal_of_;
};

/// Whether an acquisition is that of a condition, a semaphore, a barrier or the end of a thread.
bool is_for_signals(const RankContext& context, const LockAcquisition& lock);

/// Books the waits for these (wait_for_signal.cpp).
SignalTimes waits_for_signals(const RankContext& context);

}  // namespace tarry

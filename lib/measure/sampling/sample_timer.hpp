// sample_timer.hpp -- signals a thread each time that it has used a processor for so long.
//
// A thread that sleeps is never signalled, so no system call of the program ends early. Two clocks are used:
//
//  * A POSIX timer of the thread's processor time. The kernel looks at it with its own ticks, and raises the signal
//    when the thread returns to its code. A signal that is due inside a system call comes right behind it.
//  * Where ticks are too coarse for the rate, an event of perf_event_open, if the kernel allows it. It sees nothing but
//    the program's own code. Then the timer serves system calls only. To open and close an event takes ten system
//    calls, longer than the start of a thread. So it may wait for the first signal of the timer.
//
// A clock of the wall would have to wake threads that sleep. Many system calls do not go on after that: poll(),
// nanosleep(), those with a time limit.
//
// Calls: handler-safe.
#pragma once

#include <sys/types.h>

#include <csignal>
#include <cstdint>

namespace tarry::measure {

class SampleTimer {
 public:
  /// Whether an event is opened where the rate asks for one.
  enum class EventStart : std::uint8_t { kNever, kAtOnce, kBehindFirstSignal };

  /// For the calling thread. False if the kernel has no timer for it.
  /// Calls: may block.
  bool start(std::uint32_t hertz, EventStart event);

  /// In the handler of the timer's signal: opens the event that waits for it.
  void open_waiting_event();

  /// Any thread may ask for it.
  void stop();

  /// The timer alone goes on.
  void close_event();

  /// This is a child process: timers and events are its parent's.
  void forget();

  /// Where a signal comes from.
  enum class Source : std::uint8_t { kOther, kTimer, kEvent };
  Source source_of(const siginfo_t& info) const;

  /// Such a signal of an event has come. The event goes on.
  void note_event();

  bool has_event() const { return event_ >= 0; }
  bool has_had_event() const { return has_had_event_; }

 private:
  static constexpr int kNone = -1;

  void open_timer();
  void open_event();

  pid_t thread_ = 0;
  std::uint32_t hertz_ = 0;
  int timer_ = kNone;
  int event_ = kNone;           // descriptor
  std::uint64_t event_id_ = 0;  // the program may have closed the descriptor, and use its number
  std::uint32_t events_ = 0;    // signals that have come
  bool has_had_event_ = false;
  bool is_event_waiting_ = false;
};

}  // namespace tarry::measure

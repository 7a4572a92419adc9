// blocked_time.hpp -- time in which a thread is in the program's own code, but uses no processor and wants none.
//
// It sleeps, waits for another process or thread, or for a disk. The kernel tells how long a thread has used a
// processor. A look at that is a system call, so it is rare: at an event that comes long after the look before. What a
// thread used between that look and its latest event is not known. So the time without events that is found blocked is
// a lower bound, which lacks a millisecond at most.
//
// Time in which the thread is ready to run and gets no processor is not blocked.
//
// Calls: handler-safe.
#pragma once

#include <cstdint>

#include "base/units.hpp"
#include "measure/processor/processor.hpp"

namespace tarry::measure {

struct Thread;

/// The thread's accounts at the latest look, in nanoseconds.
struct BlockedWatch {
  Ticks looked_at = 0;
  std::int64_t wall = 0;
  std::int64_t used = -1;      // of processors; -1: unknown
  std::int64_t preempted = 0;  // ready to run without one; -1: unknown
  long waits = 0;              // how often it gave its processor up,
  long preemptions = 0;        // and how often that was taken
};

/// Some milliseconds, or less.
[[gnu::always_inline]] inline Ticks look_interval() { return processor::about_a_millisecond(); }

/// The recording of the calling thread begins.
void begin_blocked_watch(Thread& thread);

/// Looks once more. How long before `time` the thread was blocked, at most since its latest event. 0 if it was not in
/// the program's code meanwhile.
Ticks look_for_blocked_time(Thread& thread, Ticks time, bool is_in_code);

/// The innermost region was open in that time, which ends now. For callers that hold the gate.
void record_blocked_time(Thread& thread, Ticks time, Ticks blocked);

}  // namespace tarry::measure

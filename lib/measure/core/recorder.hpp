// recorder.hpp -- one thread's recording, and the plain steps that all others are made of (callpath/steps.hpp).
//
// An adapter asks current_thread() for its thread. What it keeps with the thread lies in a slot (thread_slots.hpp).
//
// What an event costs beside its time stamp is not its number of instructions. A processor begins to read its counter
// when what stands before is done, and hides about three loads in a row behind it. So the way from the thread to what
// is counted is short: its path, the child, the child's numbers. `make bench FIGURE=enter-leave-summary`, -trace,
// -both.
//
// Calls: handler-safe.
#pragma once

#include <algorithm>
#include <cstdint>

#include "defs/definitions.hpp"
#include "measure/core/blocked_time.hpp"
#include "measure/core/clock.hpp"
#include "measure/core/event_buffer.hpp"
#include "measure/core/frame_stack.hpp"
#include "measure/core/guard.hpp"
#include "measure/core/processor_watch.hpp"
#include "measure/core/profile_tree.hpp"
#include "measure/core/step_counters.hpp"
#include "measure/core/thread_slots.hpp"

namespace tarry::measure {

/// The recording of one thread. Its memory lives until the process ends, and serves later threads.
struct alignas(64) Thread {
  Gate gate;
  bool traces = false;
  bool summarises = false;
  bool is_in_block = false;        // the innermost construct of OpenMP holds code of the program
  bool is_between_teams = false;   // a team has been forked and has not begun, or has ended and has not been joined
  std::uint32_t depth = 0;         // regions that are open in the recording
  std::uint32_t until_sample = 1;  // functions that are entered until one is a sample (compiler/throttle.hpp)
  FrameStack frames;
  EventBuffer events;
  ProfileTree profile;
  BlockedWatch blocked;
  std::uint32_t number = 0;
  bool is_finished = false;
  bool is_in_endless_step = false;   // at the end of the recording: nobody else may touch it
  std::uint64_t missed_calls = 0;    // which came while the thread was in a step
  StepCounters* counters = nullptr;  // nullptr: none are recorded
  ThreadDelay delay;                 // where the recording began
  std::uintptr_t sampled_stack = 0;  // the stack pointer of the latest sample's function
  Ticks sampled_at = 0;              // when that was entered
  Thread* next = nullptr;            // in the list of all threads
  Thread* before = nullptr;          // the same
  Thread* next_ended = nullptr;      // in a list of those that have ended
  ThreadSlots slots;                 // of the adapters
};

/// Of the calling thread; nullptr before its first event. A plain variable in the static TLS block: one load.
extern __thread Thread* t_thread __attribute__((tls_model("initial-exec")));

/// Starts the recording of a thread that has none yet; nullptr while nothing is recorded.
Thread* adopt_thread();

/// The same for a thread that is in no region at first, as a worker of OpenMP outside its teams.
Thread* adopt_worker();

/// The calling thread's recording, or nullptr if events must not be recorded here and now. While the recording is
/// paused there is one: adapters keep track of handles then, but their steps have no effect.
inline Thread* current_thread() {
  Thread* thread = t_thread;
  if (!thread) [[unlikely]]
    return adopt_thread();
  return thread->gate.is_in_use() ? thread : nullptr;
}

/// The same in the midst of a step: for the thread's books.
inline Thread* thread_for_books() {
  Thread* const thread = t_thread;
  return thread ? thread : adopt_thread();
}

/// The time of the thread's latest event.
inline Ticks latest_event_of(const Thread& thread) {
  return std::max(thread.traces ? thread.events.last_known_time() : 0,
                  thread.summarises ? thread.profile.last_time() : 0);
}

/// Counts a call if the recording of its thread has ended.
void note_call_behind_end();

/// Of all threads, so far.
std::uint64_t count_calls_behind_end();

/// A call cannot be recorded. It is counted if its thread is in the midst of a step. Then it comes from a handler
/// of a signal that has interrupted the recorder, or from the recorder itself. Without a thread it may come from one
/// whose recording has ended.
[[gnu::cold]] inline void note_missed_call(Thread* thread) {
  if (!thread) note_call_behind_end();
  else if (thread->gate.is_busy() && !thread->gate.is_closed()) ++thread->missed_calls;
}

/// Whether the program's own code runs where `frame` is the innermost one and `depth` regions are open.
inline bool is_in_code(const Thread& thread, const Frame& frame, std::uint32_t depth) {
  if (thread.is_between_teams) return false;
  return frame.depth + 1 < depth ? thread.is_in_block : thread.frames.is_code(frame, depth);
}

/// How long the thread was blocked before `time`, if it is long since that was looked at. 0 in a recorded call.
[[gnu::always_inline]] inline Ticks blocked_before(Thread& thread, Ticks time) {
  if (time - thread.blocked.looked_at < look_interval()) [[likely]]
    return 0;
  return look_for_blocked_time(thread, time, is_in_code(thread, thread.frames.top(), thread.depth));
}

/// Before a step: that time belongs to the region that is open. For callers that hold the gate.
[[gnu::always_inline]] inline void note_blocked_time(Thread& thread, Ticks time) {
  if (const Ticks blocked = blocked_before(thread, time)) [[unlikely]]
    record_blocked_time(thread, time, blocked);
}

/// The step itself, for callers that hold the gate, without counters.
[[gnu::always_inline]] inline void enter_guarded(Thread& thread, RegionId region, Ticks time) {
  ++thread.depth;
  if (thread.traces) thread.events.enter(time, region);
  if (thread.summarises) thread.profile.enter(time, region);
}

[[gnu::always_inline]] inline void leave_guarded(Thread& thread, Ticks time) {
  --thread.depth;
  if (thread.traces) thread.events.leave(time);
  if (thread.summarises) thread.profile.leave(time);
}

/// The same for callers that have counted the region. They hold the gate, which is released here.
void finish_enter(Thread& thread, RegionId region, Ticks time);
void finish_leave(Thread& thread, Ticks time);

/// Only in the summary.
void finish_enter_in_summary(Thread& thread, RegionId region, Ticks time);
void finish_leave_in_summary(Thread& thread, Ticks time);

template <class Record>
[[gnu::always_inline]] inline void put_guarded(Thread& thread, Ticks time, const Record& record) {
  if (thread.traces) thread.events.put(time, record);
  if (thread.summarises) thread.profile.count_record(time, record);
}

/// The same with the counters, if the thread has any. For the thread itself.
void enter_counted(Thread& thread, RegionId region, Ticks time);
void leave_counted(Thread& thread, Ticks time);

/// As enter_counted(), of a task of OpenMP: its call path does not depend on where the thread runs it.
void enter_task_counted(Thread& thread, RegionId region, Ticks time);

}  // namespace tarry::measure

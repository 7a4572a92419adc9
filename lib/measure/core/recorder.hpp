// recorder.hpp -- one thread's recording, and the steps every adapter (MPI, hooks) is made of.
//
// An adapter asks current_thread() for its thread. It takes one time stamp where a call begins and one where it
// returns, and hands them to enter(), leave() and put(). Each step holds the thread's gate.
//
// What an event costs beside its time stamp is not its number of instructions. A processor begins to read its counter
// when what stands before is done, and hides about three loads in a row behind it. So the way from the thread to what
// is counted is short: its path, the child, the child's numbers. `make bench FIGURE=enter-leave-summary`, -trace,
// -both.
#pragma once

#include <cstdint>

#include "measure/core/clock.hpp"
#include "measure/core/event_buffer.hpp"
#include "measure/core/coalesced_calls.hpp"
#include "measure/core/frame_stack.hpp"
#include "measure/core/guard.hpp"
#include "measure/core/open_team.hpp"
#include "measure/core/processor_watch.hpp"
#include "measure/core/profile_tree.hpp"
#include "measure/io/latest_transfer.hpp"

namespace tarry::measure {

class CounterSet;
class CallPath;
class ThreadSampler;

/// The recording of one thread. Lives until the process ends.
struct alignas(64) Thread {
  Gate gate;
  bool traces = false;
  bool summarises = false;
  std::uint32_t depth = 0;  // regions that are open in the recording
  FrameStack frames;
  EventBuffer events;
  ProfileTree profile;
  std::uint32_t number = 0;
  bool is_finished = false;
  OpenTeam open_team;
  PendingJoin pending_joins[kMostPendingJoins];
  LatestTransfer latest_transfer;
  const void* file_caller = nullptr;    // the place in the program that last called a function of files
  CounterSet* counters = nullptr;       // nullptr: none are recorded
  CoalescedCalls* coalesced = nullptr;  // set at the first coalesced visit
  CallPath* call_path = nullptr;        // nullptr: functions without hooks are not looked for
  ThreadSampler* sampler = nullptr;     // nullptr: no samples are taken
  ThreadDelay delay;                    // where the recording began
  Thread* next = nullptr;               // in the list of all threads
};

/// Of the calling thread; nullptr before its first event. A plain variable in the static TLS block: one load.
extern __thread Thread* t_thread __attribute__((tls_model("initial-exec")));

/// Starts the recording of a thread that has none yet; nullptr while nothing is recorded.
Thread* adopt_thread();

/// The same for a worker thread of OpenMP: outside its teams it is in no region.
Thread* adopt_worker();

/// The calling thread's recording, or nullptr if events must not be recorded here and now. While the recording is
/// paused there is one: adapters keep track of handles then, but their steps have no effect.
inline Thread* current_thread() {
  Thread* thread = t_thread;
  if (!thread) [[unlikely]]
    return adopt_thread();
  return thread->gate.is_in_use() ? thread : nullptr;
}

/// The step itself, for callers that hold the gate, without counters.
[[gnu::always_inline]] inline void enter_guarded(Thread& thread, std::uint32_t region, Ticks time) {
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
void finish_enter(Thread& thread, std::uint32_t region, Ticks time);
void finish_leave(Thread& thread, Ticks time);

/// Only in the summary.
void finish_enter_in_summary(Thread& thread, std::uint32_t region, Ticks time);
void finish_leave_in_summary(Thread& thread, Ticks time);

template <class... Fields>
[[gnu::always_inline]] inline void put_guarded(Thread& thread, EventKind kind, Ticks time, Fields... fields) {
  if (thread.traces) thread.events.put(kind, time, fields...);
  if (thread.summarises) thread.profile.count_record(kind, time, fields...);
}

/// The same with the counters, if the thread has any. For the thread itself.
void enter_counted(Thread& thread, std::uint32_t region, Ticks time);
void leave_counted(Thread& thread, Ticks time);

/// What enter() and leave() do where the gate is not plainly open.
bool enter_otherwise(Thread& thread, std::uint32_t region, Ticks time);
void leave_otherwise(Thread& thread, Ticks time);

/// False if the enter was not recorded; then its leave must not be, either.
inline bool enter(Thread& thread, std::uint32_t region, Ticks time) {
  if (!thread.gate.is_open_and_plain() || thread.call_path) [[unlikely]]
    return enter_otherwise(thread, region, time);
  const Hold hold(thread.gate);
  enter_guarded(thread, region, time);
  return true;
}

/// The same without a look at functions without hooks: those that are not open yet are inside the region.
bool enter_around_functions(Thread& thread, std::uint32_t region, Ticks time);

/// For an enter that was recorded; another thread may have paused the recording since.
inline void leave(Thread& thread, Ticks time) {
  if (!thread.gate.is_open_and_plain() || thread.call_path) [[unlikely]]
    return leave_otherwise(thread, time);
  const Hold hold(thread.gate);
  leave_guarded(thread, time);
}

/// Before a record that is no enter: which functions without hooks it is made in.
void find_functions(Thread& thread);

/// Records an event other than enter and leave; `fields` as for encode_fields().
template <class... Fields>
inline void put(Thread& thread, EventKind kind, Ticks time, Fields... fields) {
  if (!thread.gate.is_open_and_plain()) [[unlikely]] {
    end_coalesced_visit(thread);
    if (!thread.gate.is_open()) return;
  }
  const Hold hold(thread.gate);
  put_guarded(thread, kind, time, fields...);
}

/// As put(), for what is recorded before it is certain. The summary counts no message or transfer of it.
template <class... Fields>
inline EventBuffer::RecordPlace put_tentatively(Thread& thread, EventKind kind, Ticks time, Fields... fields) {
  if (!thread.gate.is_open_and_plain()) [[unlikely]] {
    end_coalesced_visit(thread);
    if (!thread.gate.is_open()) return {};
  }
  const Hold hold(thread.gate);
  EventBuffer::RecordPlace record;
  if (thread.traces) record = thread.events.put_tentatively(kind, time, fields...);
  if (thread.summarises) thread.profile.count_event(time, fields...);
  return record;
}

/// The event of such a record has not happened. It stays where its block has been handed over.
void take_back(Thread& thread, const EventBuffer::RecordPlace& record);

/// A send that was put tentatively has happened.
inline void count_send(Thread& thread, std::uint32_t comm, std::uint32_t receiver, Bytes bytes) {
  if (thread.summarises && thread.gate.is_open()) thread.profile.count_send(comm, receiver, bytes);
}

}  // namespace tarry::measure

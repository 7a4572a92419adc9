// steps.hpp -- the steps that every adapter (MPI, hooks) is made of.
//
// An adapter takes one time stamp where a call begins and one where it returns, and hands them to enter(), leave() and
// put(). Each step holds the thread's gate. Before it, functions without hooks are found on the stack, and a coalesced
// visit is closed.
//
// Calls: handler-safe.
#pragma once

#include <cstdint>

#include "measure/callpath/call_path_slot.hpp"
#include "measure/callpath/coalesced_calls.hpp"
#include "measure/core/recorder.hpp"

namespace tarry::measure {

/// What enter() and leave() do where the gate is not plainly open.
bool enter_otherwise(Thread& thread, RegionId region, Ticks time);
void leave_otherwise(Thread& thread, Ticks time);

/// False if the enter was not recorded; then its leave must not be, either.
inline bool enter(Thread& thread, RegionId region, Ticks time) {
  if (!thread.gate.is_open_and_plain() || kCallPath.of(thread)) [[unlikely]]
    return enter_otherwise(thread, region, time);
  const Hold hold(thread.gate);
  note_blocked_time(thread, time);
  enter_guarded(thread, region, time);
  return true;
}

/// As enter(), of a region that is one place in the program: it has no call site beside that.
bool enter_place(Thread& thread, RegionId region, Ticks time);

/// The same without a look at functions without hooks: those that are not open yet are inside the region.
bool enter_around_functions(Thread& thread, RegionId region, Ticks time);

/// The same of a task of OpenMP. Its path does not depend on the call that led the thread to run it.
bool enter_task(Thread& thread, RegionId region, Ticks time);

/// For an enter that was recorded; another thread may have paused the recording since.
inline void leave(Thread& thread, Ticks time) {
  if (!thread.gate.is_open_and_plain() || kCallPath.of(thread)) [[unlikely]]
    return leave_otherwise(thread, time);
  const Hold hold(thread.gate);
  note_blocked_time(thread, time);
  leave_guarded(thread, time);
}

/// Before a record that is no enter: which functions without hooks it is made in.
void find_functions(Thread& thread);

/// Records an event other than enter and leave (trace/record.hpp).
template <class Record>
inline void put(Thread& thread, Ticks time, const Record& record) {
  if (!thread.gate.is_open_and_plain()) [[unlikely]] {
    end_coalesced_visit(thread);
    if (!thread.gate.is_open()) return;
  }
  const Hold hold(thread.gate);
  put_guarded(thread, time, record);
}

/// As put(), for what is recorded before it is certain. The summary counts no message or transfer of it.
template <class Record>
inline EventBuffer::RecordPlace put_tentatively(Thread& thread, Ticks time, const Record& record) {
  if (!thread.gate.is_open_and_plain()) [[unlikely]] {
    end_coalesced_visit(thread);
    if (!thread.gate.is_open()) return {};
  }
  const Hold hold(thread.gate);
  EventBuffer::RecordPlace place;
  if (thread.traces) place = thread.events.put_tentatively(time, record);
  if (thread.summarises) thread.profile.count_event(time, record);
  return place;
}

/// The recording is paused, and goes on; the calling thread records that.
/// Calls: may block.
void switch_recording_off();
/// Calls: may block.
void switch_recording_on();

/// The event of such a record has not happened. It stays where its block has been handed over.
void take_back(Thread& thread, const EventBuffer::RecordPlace& record);

/// A send that was put tentatively has happened.
inline void count_send(Thread& thread, CommId comm, CommRank receiver, Bytes bytes) {
  if (thread.summarises && thread.gate.is_open()) thread.profile.count_send(comm, receiver, bytes);
}

}  // namespace tarry::measure

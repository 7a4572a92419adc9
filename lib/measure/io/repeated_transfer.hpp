// repeated_transfer.hpp -- the fast path of reads and writes: calls like the thread's latest one.
//
// Such a call comes from the same place in the program, and goes to the same file. It is recorded without a call of a
// function. Two time stamps take about half of what that costs (`make bench FIGURE=file-call-summary`). All is for
// callers that hold the gate.
//
// Calls: handler-safe.
#pragma once

#include <cstdint>

#include "measure/core/clock.hpp"
#include "measure/core/recorder.hpp"
#include "measure/io/latest_transfer.hpp"

namespace tarry::measure {

/// The call begins, or ends, so long after the event before that it needs records of its own.
void begin_repeated_after_gap(Thread& thread, Ticks time);
void end_repeated_after_gap(Thread& thread, Ticks time);

/// The call begins like the latest one, but wants another number of bytes, or the block does not have its pattern.
/// False if there is no room.
bool prepare_pattern(Thread& thread, Bytes bytes);

/// When the call has begun, which is stamp(). kNotBegun: it is not like the latest one, and nothing has been done.
inline constexpr Ticks kNotBegun = -1;

template <class Stamp>
[[gnu::always_inline]] inline Ticks begin_repeated(Thread& thread, LatestTransfer::Kind kind, std::uintptr_t stack,
                                                   Bytes bytes, Stamp stamp) {
  const LatestTransfer& latest = kLatestTransfer.of(thread);
  if (!latest.is_of(kind) || thread.frames.is_closed_call_on_top() || thread.frames.is_top_unclear(stack) ||
      !thread.frames.has_room())
    return kNotBegun;
  if (thread.summarises && !thread.profile.file_visits().would_enter(latest.place())) [[unlikely]]
    return kNotBegun;
  if ((latest.wanted() != bytes || (thread.traces && !thread.events.may_repeat())) && !prepare_pattern(thread, bytes))
      [[unlikely]]
    return kNotBegun;
  const Ticks time = stamp();
  thread.frames.push_call(stack, thread.depth);
  ++thread.depth;
  if ((thread.traces && !thread.events.is_soon(time)) ||
      (thread.summarises && !thread.profile.file_visits().is_soon(time))) [[unlikely]] {
    begin_repeated_after_gap(thread, time);
    return time;
  }
  if (thread.traces) thread.events.begin_repeat(time);
  if (thread.summarises) thread.profile.file_visits().begin(latest.place(), time);
  return time;
}

/// Whether the end is like the latest one, too.
[[gnu::always_inline]] inline bool can_end_repeated(Thread& thread, LatestTransfer::Kind kind, std::uintptr_t stack,
                                                    Ticks begun, Bytes moved) {
  const LatestTransfer& latest = kLatestTransfer.of(thread);
  return latest.is_of(kind) && latest.moved() == moved && thread.frames.is_call_on_top(stack) &&
         (!thread.traces || thread.events.can_end_repeat()) &&
         (!thread.summarises || thread.profile.file_visits().is_latest(latest.place(), begun));
}

/// Releases the gate. The time stamp comes last: a processor takes it when all before is done.
[[gnu::always_inline]] inline void end_repeated(Thread& thread, Ticks begun, bool is_write, Bytes moved) {
  const LatestTransfer& latest = kLatestTransfer.of(thread);
  std::uint64_t record = 0;
  if (thread.traces) record = thread.events.begun_repeat();
  if (thread.summarises) thread.profile.file_visits().prepare_end(latest.place(), is_write, moved);
  --thread.depth;
  thread.frames.pop();
  const Ticks time = now();
  const auto spent = static_cast<std::uint64_t>(time - begun);
  if (spent >= kFirstLongCallDelta) [[unlikely]]
    return end_repeated_after_gap(thread, time);
  if (thread.traces) thread.events.end_repeat(time, spent, record);
  if (thread.summarises) thread.profile.file_visits().end(latest.place(), time, static_cast<Ticks>(spent));
  LongHold::release(thread.gate);
}

}  // namespace tarry::measure

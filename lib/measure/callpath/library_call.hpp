// library_call.hpp -- a recorded call of a library's function, from its enter to its leave.
//
// A call is among the thread's frames while it is open: an error handler or a signal handler may jump out of it.
//
// Calls: handler-safe.
#pragma once

#include <cstdint>

#include "measure/callpath/call_path.hpp"
#include "measure/callpath/gone_frames.hpp"
#include "measure/callpath/steps.hpp"
#include "measure/processor/processor.hpp"

namespace tarry::measure {

using processor::stack_of_caller_here;

inline Thread* enter_library_call(Ticks time, Thread* thread, RegionId region, std::uintptr_t stack, bool& is_entered) {
  const Guard guard(thread->gate);
  is_entered = static_cast<bool>(guard);
  if (!is_entered) return note_missed_call(thread), thread;
  note_blocked_time(*thread, time);
  if (thread->frames.has_room()) thread->frames.push_call(stack, thread->depth);
  enter_counted(*thread, region_of_call(*thread, region), time);
  return thread;
}

/// As begin_library_call(), for the first call of the thread, calls too deep to be noted, and calls further in that
/// have no end. Also for an open coalesced visit and for a recording that is paused or has counters.
inline Thread* begin_library_call_rarely(Thread* thread, RegionId region, const void* caller, Ticks& time,
                                         bool& is_entered) {
  const auto stack = reinterpret_cast<std::uintptr_t>(caller);
  end_coalesced_visit(*thread);
  // An unwound frame is looked at by the call path.
  if (thread->frames.is_top_gone(stack)) close_frames_below(stack);
  Ticks entered = 0;
  if (const Guard guard(thread->gate); guard) update_call_path_of(*thread, registers_of(caller), entered);
  time = now();
  return enter_library_call(time, thread, region, stack, is_entered);
}

/// Nothing more is recorded with a call.
inline constexpr auto kNothingMore = [](Thread&, Ticks) {};

/// Enters `region` at `time`, which is now, if all is as usual; `rarely()` where it is not. `caller` is from
/// stack_of_caller_here(). A jump past it ends the call. `more(thread, time)` records what else is to be recorded then,
/// in the same step.
template <class Rarely, class More = decltype(kNothingMore)>
[[gnu::always_inline]] inline Thread* begin_library_call(Thread* thread, RegionId region, const void* caller,
                                                         Ticks& time, bool& is_entered, Rarely rarely,
                                                         More more = kNothingMore) {
  const auto stack = reinterpret_cast<std::uintptr_t>(caller);
  if (!thread->gate.is_open_and_plain() || thread->frames.is_top_unclear(stack)) [[unlikely]]
    return rarely();
  Ticks entered = 0;
  if (kCallPath.of(*thread)) {
    const Hold hold(thread->gate);
    if (!update_call_path_of(*thread, registers_of(caller), entered)) [[unlikely]]
      entered = -1;
  }
  if (entered < 0 || !thread->frames.has_room()) [[unlikely]]
    return rarely();
  time = entered ? entered : now();
  const Hold hold(thread->gate);
  note_blocked_time(*thread, time);
  thread->frames.push_call(stack, thread->depth);
  enter_guarded(*thread, region_of_call(*thread, region), time);
  more(*thread, time);
  is_entered = true;
  return thread;
}

inline void end_library_call_rarely(Thread& thread, std::uintptr_t stack, Ticks time) {
  end_coalesced_visit(thread);
  const std::uintptr_t inside = stack - 1;  // the call's own frame stays
  if (thread.frames.is_top_gone(inside)) close_frames_below(inside);
  const Guard guard(thread.gate, Guard::kEvenPaused);
  if (!guard) return;
  if (!thread.gate.is_paused()) note_blocked_time(thread, time);
  leave_counted(thread, time);
  if (thread.frames.is_call_on_top(stack)) thread.frames.pop();
}

/// For a call that was entered. `more(thread, time)` records what else is to be recorded before its end, in the same
/// step; `rarely()` where that is not possible.
template <class Rarely, class More>
[[gnu::always_inline]] inline void end_library_call(Thread& thread, const void* caller, Ticks time, Rarely rarely,
                                                    More more) {
  const auto stack = reinterpret_cast<std::uintptr_t>(caller);
  if (!thread.gate.is_open_and_plain() || !thread.frames.is_call_on_top(stack)) [[unlikely]]
    return rarely();
  const Hold hold(thread.gate);
  more(thread, time);
  note_blocked_time(thread, time);
  leave_guarded(thread, time);
  thread.frames.pop();
}

/// The same without more.
inline void end_library_call(Thread& thread, const void* caller, Ticks time) {
  const auto rarely = [&] { end_library_call_rarely(thread, reinterpret_cast<std::uintptr_t>(caller), time); };
  end_library_call(thread, caller, time, rarely, kNothingMore);
}

}  // namespace tarry::measure

// function_recorder.hpp -- enter and leave of functions and user regions: what the hooks of compilers and of
// tarry/user.h do.
//
// A region is known by a key. That is the address of a function or of the description of a user region. For iterations
// and parameters it is a number made of such an address and a value. An event knows nothing but its key. Names are
// found at the end, or on the first sight of a key if a filter has to know them. A frame has a key of its own, by which
// the leave finds it. That is the address of the function again, or that of the user region's name.
//
// Cost: see core/recorder.hpp.
//
// Calls: handler-safe.
#pragma once

#include <cstdint>

#include "measure/callpath/function_regions.hpp"
#include "measure/callpath/steps.hpp"
#include "measure/core/adapter.hpp"

namespace tarry::measure {

/// A function or user region that is being entered.
struct Entered {
  std::uintptr_t frame = 0;  // key of the frame
  std::uintptr_t key = 0;    // key of the region
  std::uintptr_t stack = 0;  // stack pointer of the function; of a user region 0, or kLasting
  bool is_user = false;
  std::uintptr_t call_site = 0;  // behind the call of a function
};

/// As the stack pointer of a user region: it lasts (core/frame_stack.hpp).
inline constexpr std::uintptr_t kLasting = 1;

/// One that is being left. For user regions `frame` is the address of the name.
struct Left {
  std::uintptr_t frame = 0;
  std::uintptr_t stack = 0;
  bool is_user = false;
};

extern const Adapter kCompilerAdapter;

/// The hooks for a key that is not in the map: starts the recording, keeps early events, adds the region.
void enter_unknown(const Entered& entered, const KeyFacts& facts);
void leave_unknown(const Left& left);

/// What is rare: no recording of this thread yet, frames that are gone or too deep, a paused recording, counters. The
/// parts of an Entered or Left are alone, so that they stay in registers.
void enter_rarely(std::uintptr_t frame, std::uintptr_t stack, bool is_user, RegionId region, Ticks time,
                  std::uintptr_t call_site);
void leave_rarely(std::uintptr_t frame, std::uintptr_t stack, bool is_user, Ticks time);

/// Leaves out all events until resume_events(), from the calling thread's point of view at once.
/// Calls: may block.
void pause_events();
/// Calls: may block.
void resume_events();

/// Each of several conditions is by itself: the compiler lays out the code for none of them.
constexpr bool is_rare(bool condition) { return __builtin_expect(condition, false); }

/// Where a step lies on the stack.
[[gnu::always_inline]] inline std::uintptr_t step_address(std::uintptr_t stack, bool is_user) {
  return is_user ? reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) : stack;
}

/// Enters a region in what is open, where the gate is plainly open and the frames have room.
[[gnu::always_inline]] inline void record_enter_inside(Thread* thread, const Entered& entered, RegionId region,
                                                       Ticks time, std::uintptr_t step) {
  LongHold hold(thread->gate, step);
  const std::uint32_t depth = thread->depth;
  const std::uintptr_t stack = entered.is_user ? thread->frames.top().stack : entered.stack;
  thread->frames.push_recorded(entered.frame, stack, depth, entered.is_user,
                               entered.is_user && entered.stack == kLasting);
  thread->depth = depth + 1;
  if (thread->traces && is_rare(!thread->events.enter_quickly(time, region)))
    return finish_enter(*thread, region, time);
  if (thread->summarises && is_rare(!thread->profile.enter_quickly(time, region)))
    return finish_enter_in_summary(*thread, region, time);
  hold.release();
}

/// Enters a region at `time`, which is now. There is no call on the way of most events: what is rare is jumped to.
[[gnu::always_inline]] inline void record_enter_at(Thread* thread, const Entered& entered, RegionId region,
                                                   Ticks time) {
  if (is_rare(!thread) || is_rare(!thread->gate.is_open_and_plain()) || is_rare(!thread->frames.has_room()) ||
      is_rare(entered.is_user ? kCallPath.of(*thread) != nullptr
                              : thread->frames.top().stack < entered.stack || --thread->until_sample == 0))
    return enter_rarely(entered.frame, entered.stack, entered.is_user, region, time, entered.call_site);
  record_enter_inside(thread, entered, region, time, step_address(entered.stack, entered.is_user));
}

[[gnu::always_inline]] inline void record_leave_at(Thread* thread, const Left& left, Ticks time) {
  if (is_rare(!thread) || is_rare(!thread->gate.is_open_and_plain()))
    return leave_rarely(left.frame, left.stack, left.is_user, time);
  const Frame& top = thread->frames.top();
  const std::uint32_t depth = top.depth;
  if (is_rare(top.key != left.frame) || is_rare(depth + 1 != thread->depth))
    return leave_rarely(left.frame, left.stack, left.is_user, time);
  LongHold hold(thread->gate, step_address(left.stack, left.is_user));
  thread->frames.pop();
  thread->depth = depth;
  if (thread->traces && is_rare(!thread->events.leave_quickly(time))) return finish_leave(*thread, time);
  if (thread->summarises && is_rare(!thread->profile.leave_quickly(time)))
    return finish_leave_in_summary(*thread, time);
  hold.release();
}

/// Now.
[[gnu::always_inline]] inline void record_enter(const Entered& entered, RegionId region) {
  record_enter_at(t_thread, entered, region, now());
}
[[gnu::always_inline]] inline void record_leave(const Left& left) { record_leave_at(t_thread, left, now()); }

}  // namespace tarry::measure

// gone_frames.hpp -- frames whose end nobody tells: a jump or an exception went past it.
//
// The leaves of such frames are recorded when the next event shows that they are gone (core/frame_stack.hpp).
//
// Calls: handler-safe.
#pragma once

#include <cstddef>
#include <cstdint>

#include "measure/core/recorder.hpp"

namespace tarry::measure {

/// For the adapter that must learn of user regions which end unseen.
struct RegionWatch {
  bool (*watches)(const char* name);
  void (*end)();  // one of them has ended; not called within a step
};
extern const RegionWatch* g_region_watch;  // nullptr: there is no such adapter

/// Closes the top frame, and what is open inside it. For callers that hold the gate.
void close_frame(Thread& thread, Ticks time);

/// The same for a frame that is gone; 1 if its region is watched, else 0. The sum goes to end_watched_regions().
std::size_t close_gone_frame(Thread& thread, Ticks time);

/// Behind the step that has closed so many frames of watched regions.
void end_watched_regions(std::size_t count);

/// The program goes on in a function with this stack pointer: functions whose frames lie below it have ended.
void close_frames_below(std::uintptr_t stack);

}  // namespace tarry::measure

// throttle.hpp -- short functions that are called very often: from some call on they are counted, and not recorded.
//
// One enter in some hundred is a sample. The frame of a sampled visit has a mark, so that its leave takes the rare way,
// and the visit's duration is known there. All others cost one count more. Samples tell about how many visits a
// function has, and how long they take on average. TARRY_THROTTLE says from when on that is too often and too short.
// Then the entry of its address in the map of regions becomes that of a throttled one. From then on its hooks count the
// call and return, in all threads.
//
// Frames that are open then are left as others, where the hook finds its frame. What is not found ends with the caller,
// as after a jump.
//
// Calls: handler-safe.
#pragma once

#include <cstdint>

#include "measure/core/adapter.hpp"
#include "measure/core/recorder.hpp"
#include "measure/core/thread_slots.hpp"
#include "measure/callpath/region_map.hpp"

namespace tarry::measure {

extern const Adapter kThrottleAdapter;

/// A function is entered with the thread's countdown at its end. Returns the key of its frame, with a mark if it is a
/// sample.
std::uintptr_t begin_sample(Thread& thread, std::uintptr_t key, std::uintptr_t stack, Ticks time);

/// A function is left on the rare way: its frame has no mark afterwards.
void end_sample(Thread& thread, std::uintptr_t key, Ticks time);

/// A throttled function is entered or left: `region` is what the map of regions has in its place.
void count_throttled(RegionId region);
void leave_throttled(std::uintptr_t key, std::uintptr_t stack);

/// Calls that the thread has counted, by their numbers; nullptr before the first.
inline constexpr ThreadSlot<std::uint64_t*, 328> kThrottledCalls;

}  // namespace tarry::measure

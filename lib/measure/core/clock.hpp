// clock.hpp -- time stamps of one processor's counter, and how they relate to wall-clock time.
//
// Calls: handler-safe.
#pragma once

#include <cstdint>
#include <ctime>
#include <string>

#include "base/units.hpp"
#include "measure/processor/processor.hpp"

namespace tarry::measure {

enum class ClockKind : std::uint8_t { kMonotonic, kCycleCounter };

/// What now() reads; set by choose_clock().
extern ClockKind g_clock_kind __attribute__((visibility("hidden")));

/// Takes the processor's counter if it runs at one rate on all cores, else CLOCK_MONOTONIC in nanoseconds. On AArch64
/// the counter always does, on x86-64 with an invariant TSC which the kernel has not found unstable.
/// TARRY_CLOCK=monotonic asks for the latter.
/// Calls: may block.
void choose_clock();

/// "tsc", "cntvct" or "monotonic".
const char* clock_name();

inline Ticks monotonic_ns() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<Ticks>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

/// Whether now() is the processor's counter.
[[gnu::always_inline]] inline bool has_counter() { return g_clock_kind == ClockKind::kCycleCounter; }

/// The processor's counter: for callers that know that it is there and can be read.
[[gnu::always_inline]] inline Ticks read_counter() { return processor::counter_ticks(); }

/// The current time in ticks.
inline Ticks now() {
  if (has_counter()) [[likely]]
    return read_counter();
  return monotonic_ns();
}

/// The three clocks of a node at one moment.
struct ClockReading {
  Ticks ticks = 0;
  std::int64_t monotonic_ns = 0;
  std::int64_t realtime_ns = 0;

  /// "ticks monotonic_ns realtime_ns", as the clock properties of a process spell it.
  std::string text() const;
};

/// Reads all three as close together as a few attempts get them.
ClockReading read_clocks();

/// Rate between two readings; 1e9 if the later one is not later.
double ticks_per_second(const ClockReading& first, const ClockReading& last);

/// A reading far enough behind `first` that their rate is good to 1e-4; waits up to 5 ms in a very short run.
ClockReading read_clocks_at_end(const ClockReading& first);

}  // namespace tarry::measure

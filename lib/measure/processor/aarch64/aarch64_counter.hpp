// aarch64_counter.hpp -- the generic timer's counter.
//
// The counter runs at 25 MHz to 1 GHz, whatever the processor's frequency is. So two events may have the same time.
//
// Calls: handler-safe.
#pragma once

#include <cstdint>

#include "measure/processor/atomic_steps.hpp"

namespace tarry::measure::processor {

inline constexpr char kCounterName[] = "cntvct";

/// The version of the C library's oldest functions here. Conditions of POSIX threads have no other one.
inline constexpr char kOldestVersion[] = "GLIBC_2.17";
inline constexpr const char* kConditionVersion = "";

[[gnu::always_inline]] inline std::int64_t counter_ticks() {
  std::int64_t ticks;
  asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
}

/// The counter in half ticks.
[[gnu::always_inline]] inline std::int64_t read_half_ticks() { return counter_ticks() * 2; }

/// A millisecond of the counter, or less: a power of 2, set when the process starts.
extern std::int64_t g_about_a_millisecond __attribute__((visibility("hidden")));
[[gnu::always_inline]] inline std::int64_t about_a_millisecond() { return g_about_a_millisecond; }

}  // namespace tarry::measure::processor

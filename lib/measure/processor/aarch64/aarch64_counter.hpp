// aarch64_counter.hpp -- the generic timer's counter, and steps that no signal divides.
//
// The counter runs at 25 MHz to 1 GHz, whatever the processor's frequency is. So two events may have the same time.
//
// Calls: handler-safe.
#pragma once

#include <cstdint>

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

template <class Object>
[[gnu::always_inline]] inline Object* address_found_anew(Object& object) {
  return &object;
}

/// Each of these is one step, as signal handlers of this thread see it. Returns whether the sum is negative.
[[gnu::always_inline]] inline bool add_at_once(std::int64_t& sum, std::int64_t more) {
  return __atomic_add_fetch(&sum, more, __ATOMIC_RELAXED) < 0;
}
[[gnu::always_inline]] inline void subtract_at_once(std::int64_t& sum, std::int64_t less) {
  __atomic_fetch_sub(&sum, less, __ATOMIC_RELAXED);
}
[[gnu::always_inline]] inline void count_at_once(std::uint64_t& calls) {
  __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
}

}  // namespace tarry::measure::processor

// other_counter.hpp -- no counter; steps that no signal divides.
//
// Calls: handler-safe.
#pragma once

#include <cstdint>
#include <ctime>

namespace tarry::measure::processor {

inline constexpr char kCounterName[] = "none";

/// The version of the C library's oldest functions here. Conditions of POSIX threads have no other one.
#if defined(__riscv)
inline constexpr char kOldestVersion[] = "GLIBC_2.27";
#else
inline constexpr char kOldestVersion[] = "GLIBC_2.17";
#endif
inline constexpr const char* kConditionVersion = "";

/// The time of the kernel, in nanoseconds.
inline std::int64_t counter_ticks() {
  std::timespec time;
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}
inline std::int64_t read_half_ticks() { return counter_ticks() * 2; }
[[gnu::always_inline]] inline std::int64_t about_a_millisecond() { return std::int64_t{1} << 20; }

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

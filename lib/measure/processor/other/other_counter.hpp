// other_counter.hpp -- no counter.
//
// Calls: handler-safe.
#pragma once

#include <cstdint>
#include <ctime>

#include "measure/processor/atomic_steps.hpp"

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

}  // namespace tarry::measure::processor

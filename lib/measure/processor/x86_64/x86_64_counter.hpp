// x86_64_counter.hpp -- the TSC, and steps that no signal divides.
//
// Calls: handler-safe.
#pragma once

#include <x86intrin.h>

#include <cstdint>

namespace tarry::measure::processor {

inline constexpr char kCounterName[] = "tsc";

/// The version of the C library's oldest functions here, and of the conditions of POSIX threads in use.
inline constexpr char kOldestVersion[] = "GLIBC_2.2.5";
inline constexpr const char* kConditionVersion = "GLIBC_2.3.2";

[[gnu::always_inline]] inline std::int64_t counter_ticks() { return static_cast<std::int64_t>(__rdtsc()); }

/// The counter in half ticks.
[[gnu::always_inline]] inline std::int64_t read_half_ticks() {
  std::uint64_t low, high;
  asm volatile("rdtsc" : "=a"(low), "=d"(high));
  return static_cast<std::int64_t>((high << 33) + 2 * low);
}

/// A millisecond of the counter, or a few.
[[gnu::always_inline]] inline std::int64_t about_a_millisecond() { return std::int64_t{1} << 21; }

/// The compiler would save a register for an address that it needs again, and it is no work to find once more.
template <class Object>
[[gnu::always_inline]] inline Object* address_found_anew(Object& object) {
  Object* address;
  asm("lea %1, %0" : "=r"(address) : "m"(object));
  return address;
}

/// Each of these is one step, as signal handlers of this thread see it. Returns whether the sum is negative.
[[gnu::always_inline]] inline bool add_at_once(std::int64_t& sum, std::int64_t more) {
  bool is_negative;
  asm volatile("addq %2, %0" : "+m"(sum), "=@ccs"(is_negative) : "re"(more) : "memory");
  return is_negative;
}
[[gnu::always_inline]] inline void subtract_at_once(std::int64_t& sum, std::int64_t less) {
  asm volatile("subq %1, %0" : "+m"(sum) : "re"(less) : "memory", "cc");
}
[[gnu::always_inline]] inline void count_at_once(std::uint64_t& calls) {
  asm volatile("incq %0" : "+m"(calls) : : "memory", "cc");
}

}  // namespace tarry::measure::processor

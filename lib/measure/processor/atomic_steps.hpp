// atomic_steps.hpp -- steps that no signal divides, for processors whose compiler makes one step of them only as
// atomics.
//
// Calls: handler-safe.
#pragma once

#include <cstdint>

namespace tarry::measure::processor {

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

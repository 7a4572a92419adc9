// real_functions.hpp -- the function that the program would call without ours.
//
// Calls: handler-safe.
#pragma once

#include "measure/wrapped/wrapped_function.hpp"

namespace tarry::measure {

/// As the dynamic linker finds it for the code at `caller`: in what was loaded with the program, or else in what was
/// opened later. If there is none, the program ends as it does without us.
/// Calls: may block.
void* find_real_function(WrappedFunction& function, const void* caller);

[[gnu::always_inline]] inline void* real_function(WrappedFunction& function, const void* caller) {
  void* const real = function.real.load(std::memory_order_relaxed);
  return real ? real : find_real_function(function, caller);
}

}  // namespace tarry::measure

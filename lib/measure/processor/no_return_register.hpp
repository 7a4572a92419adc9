// no_return_register.hpp -- for processors of which no register is known to hold a return address.
//
// Calls: handler-safe.
#pragma once

#include <ucontext.h>

#include <cstdint>

namespace tarry::measure::processor {

struct ReturnRegister {
  constexpr bool fits(const ReturnRegister&) const { return true; }
  constexpr std::uintptr_t take() { return 0; }
};
constexpr ReturnRegister return_register_of(const ucontext_t&) { return {}; }
constexpr ReturnRegister saved_return_register(std::uintptr_t) { return {}; }

}  // namespace tarry::measure::processor

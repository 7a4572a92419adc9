// other_calls.hpp -- where a function was called from is not known here, nor which instructions call.
//
// Calls: handler-safe.
#pragma once

#include <cstdint>

#include "measure/processor/other/other_registers.hpp"

namespace tarry::measure::processor {

/// Tells calls of one function apart, and those of functions further in.
[[gnu::always_inline]] inline const void* stack_of_caller_here() { return __builtin_dwarf_cfa(); }

constexpr std::uintptr_t return_address_to(const void*) { return 0; }
constexpr std::uintptr_t frame_pointer_in(const void*) { return 0; }

inline constexpr bool kSignsReturns = false;
constexpr std::uintptr_t without_signature(std::uintptr_t address) { return address; }
constexpr bool is_signing(std::uint8_t) { return false; }

inline constexpr bool kReturnsByRegister = false;
constexpr bool is_return_place(std::int64_t) { return false; }
constexpr std::uintptr_t return_place(std::uintptr_t cfa, std::int32_t) { return cfa; }

struct ReturnPlace {
  constexpr void note(std::uintptr_t) {}
  constexpr std::uintptr_t below(std::uintptr_t stack_of_caller) const { return stack_of_caller; }
};

inline constexpr int kLongestCall = 4;
constexpr bool is_behind_call(const std::uint8_t*) { return false; }
constexpr bool is_behind_system_call(std::uintptr_t) { return false; }

inline constexpr bool kHasDescribedStubs = true;
constexpr std::uintptr_t pushed_in_stub(std::uintptr_t) { return 0; }
struct StubFrame {
  bool is_stub = false;
  std::uint32_t pushed = 0, return_place = 0;
};
constexpr StubFrame stub_at(const std::uint32_t*) { return {}; }
constexpr bool is_signal_return(const std::uint32_t*) { return false; }

}  // namespace tarry::measure::processor

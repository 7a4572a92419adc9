// x86_64_calls.hpp -- where a function was called from, and which instructions call.
//
// Calls: handler-safe.
#pragma once

#include <cstdint>
#include <cstring>

#include "measure/processor/x86_64/x86_64_registers.hpp"

namespace tarry::measure::processor {

/// The stack pointer with which the function was called in which this stands. Below it lie the return address and the
/// caller's frame pointer, because the function keeps one of its own.
[[gnu::always_inline]] inline const void* stack_of_caller_here() {
  return static_cast<void* const*>(__builtin_frame_address(0)) + 2;
}

/// Of the caller with such a stack pointer, as long as the function that it has called has not returned.
[[gnu::always_inline]] inline std::uintptr_t return_address_to(const void* caller) {
  return static_cast<const std::uintptr_t*>(caller)[-1];
}
[[gnu::always_inline]] inline std::uintptr_t frame_pointer_in(const void* caller) {
  return static_cast<const std::uintptr_t*>(caller)[-2];
}

/// A return address as it lies on the stack may be signed.
inline constexpr bool kSignsReturns = false;
constexpr std::uintptr_t without_signature(std::uintptr_t address) { return address; }

/// Instructions of DWARF that tell from where on it is signed.
constexpr bool is_signing(std::uint8_t) { return false; }

/// A function that has called nothing yet may have its return address in a register.
inline constexpr bool kReturnsByRegister = false;

/// A frame's return address lies there, from the CFA.
constexpr bool is_return_place(std::int64_t offset) { return offset == -8; }
constexpr std::uintptr_t return_place(std::uintptr_t cfa, std::int32_t) { return cfa - 8; }

/// Where the return address of a frame lies: that need not be kept.
struct ReturnPlace {
  constexpr void note(std::uintptr_t) {}
  constexpr std::uintptr_t below(std::uintptr_t stack_of_caller) const { return stack_of_caller - 8; }
};

/// Whether a call ends right in front of `behind`, where so many bytes can be read.
inline constexpr int kLongestCall = 7;
inline bool is_behind_call(const std::uint8_t* behind) {
  constexpr std::uint8_t kCall = 0xe8, kIndirect = 0xff;
  if (behind[-5] == kCall) return true;
  for (int length = 2; length <= kLongestCall; ++length)
    if (behind[-length] == kIndirect && (behind[1 - length] >> 3 & 7) == 2) return true;
  return false;
}

/// Whether the instruction in front is the one that enters the kernel.
inline bool is_behind_system_call(std::uintptr_t instruction) {
  constexpr std::uintptr_t kPage = 4096;
  constexpr std::uint8_t kSyscall[] = {0x0f, 0x05};
  if (instruction % kPage < sizeof kSyscall) return false;  // the page before may not be there
  return std::memcmp(reinterpret_cast<const void*>(instruction - sizeof kSyscall), kSyscall, sizeof kSyscall) == 0;
}

/// The description of a dynamic linker's stub has one expression for all its instructions. The one that ends 11 bytes
/// behind the begin pushes a word.
inline constexpr bool kHasDescribedStubs = true;
constexpr std::uintptr_t pushed_in_stub(std::uintptr_t instruction) { return instruction % 16 >= 11 ? 8 : 0; }

/// Of a stub that nothing describes: there is none here.
struct StubFrame {
  bool is_stub = false;
  std::uint32_t pushed = 0;        // bytes
  std::uint32_t return_place = 0;  // behind the stack pointer, if something is pushed; else it is in its register
};
constexpr StubFrame stub_at(const std::uint32_t*) { return {}; }

/// Whether that code, which nothing describes, ends a signal's handler.
constexpr bool is_signal_return(const std::uint32_t*) { return false; }

}  // namespace tarry::measure::processor

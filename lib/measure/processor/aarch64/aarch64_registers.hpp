// aarch64_registers.hpp -- numbers of registers, and where they are when a signal has interrupted a thread.
//
// Calls: handler-safe.
#pragma once

#include <elf.h>
#include <ucontext.h>

#include <csignal>
#include <cstddef>
#include <cstdint>

namespace tarry::measure::processor {

inline constexpr bool kHasCallPaths = true;

/// Numbers of registers in DWARF: DWARF for the Arm 64-bit Architecture, section 4.1.
inline constexpr std::uint64_t kFramePointer = 29, kStackPointer = 31, kReturnAddress = 30;

/// What a program may address ends there.
inline constexpr std::uintptr_t kEndOfPrograms = std::uintptr_t{1} << 48;

/// Relocations of the addresses of functions and data.
inline constexpr std::uint32_t kJumpSlot = R_AARCH64_JUMP_SLOT, kGlobalData = R_AARCH64_GLOB_DAT;

/// Behind the stack pointer of a signal's frame, to which the handler returns: what was interrupted. The information
/// about the signal comes first.
inline constexpr std::uintptr_t kSavedRegisters = sizeof(siginfo_t) + offsetof(ucontext_t, uc_mcontext.regs),
                                kSavedFramePointer = kSavedRegisters + kFramePointer * sizeof(std::uintptr_t),
                                kSavedReturnAddress = kSavedRegisters + kReturnAddress * sizeof(std::uintptr_t),
                                kSavedStack = sizeof(siginfo_t) + offsetof(ucontext_t, uc_mcontext.sp),
                                kSavedInstruction = sizeof(siginfo_t) + offsetof(ucontext_t, uc_mcontext.pc);

inline std::uintptr_t instruction_of(const ucontext_t& context) { return context.uc_mcontext.pc; }
inline std::uintptr_t stack_of(const ucontext_t& context) { return context.uc_mcontext.sp; }
inline std::uintptr_t frame_pointer_of(const ucontext_t& context) { return context.uc_mcontext.regs[kFramePointer]; }

/// Where a function was interrupted at its first instruction.
inline std::uintptr_t third_argument_of(const ucontext_t& context) { return context.uc_mcontext.regs[2]; }

/// A return address with its signature removed. Processors without signatures do nothing.
[[gnu::always_inline]] inline std::uintptr_t without_signature(std::uintptr_t address) {
  register std::uintptr_t in_place asm("x30") = address;
  asm("hint #7" : "+r"(in_place));  // xpaclri
  return in_place;
}

/// The register with the return address of a function that has called nothing yet.
struct ReturnRegister {
  std::uintptr_t value = 0;
  bool is_needed = false;  // the frame's caller was found by it

  constexpr bool fits(const ReturnRegister& other) const { return !is_needed || value == other.value; }
  std::uintptr_t take() {
    is_needed = true;
    return without_signature(value);
  }
};
inline ReturnRegister return_register_of(const ucontext_t& context) {
  return {.value = context.uc_mcontext.regs[kReturnAddress]};
}
inline ReturnRegister saved_return_register(std::uintptr_t stack) {
  return {.value = *reinterpret_cast<const std::uintptr_t*>(stack + kSavedReturnAddress)};
}

/// The action of a signal tells where its handler returns to.
inline constexpr unsigned long kHasRestorer = 0x04000000;

}  // namespace tarry::measure::processor

// x86_64_registers.hpp -- numbers of registers, and where they are when a signal has interrupted a thread.
//
// Calls: handler-safe.
#pragma once

#include <elf.h>
#include <ucontext.h>

#include <cstddef>
#include <cstdint>

#include "measure/processor/no_return_register.hpp"

namespace tarry::measure::processor {

inline constexpr bool kHasCallPaths = true;

/// Numbers of registers in DWARF: System V ABI for AMD64, figure 3.36.
inline constexpr std::uint64_t kFramePointer = 6, kStackPointer = 7, kReturnAddress = 16;

/// What a program may address ends there.
inline constexpr std::uintptr_t kEndOfPrograms = std::uintptr_t{1} << 47;

/// Relocations of the addresses of functions and data.
inline constexpr std::uint32_t kJumpSlot = R_X86_64_JUMP_SLOT, kGlobalData = R_X86_64_GLOB_DAT;

/// Behind the stack pointer of a signal's frame, to which the handler returns: the registers of who was interrupted.
inline constexpr std::uintptr_t kSavedFramePointer = offsetof(ucontext_t, uc_mcontext.gregs[REG_RBP]),
                                kSavedStack = offsetof(ucontext_t, uc_mcontext.gregs[REG_RSP]),
                                kSavedInstruction = offsetof(ucontext_t, uc_mcontext.gregs[REG_RIP]);

inline std::uintptr_t instruction_of(const ucontext_t& context) {
  return static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RIP]);
}
inline std::uintptr_t stack_of(const ucontext_t& context) {
  return static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RSP]);
}
inline std::uintptr_t frame_pointer_of(const ucontext_t& context) {
  return static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RBP]);
}

/// Where a function was interrupted at its first instruction.
inline std::uintptr_t third_argument_of(const ucontext_t& context) {
  return static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RDX]);
}

/// The kernel wants to be told the end of a handler. Else it calls none.
inline constexpr unsigned long kHasRestorer = 0x04000000;

}  // namespace tarry::measure::processor

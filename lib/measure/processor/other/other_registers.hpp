// other_registers.hpp -- no registers are known, so there are no call paths.
//
// Calls: handler-safe.
#pragma once

#include <elf.h>
#include <ucontext.h>

#include <cstdint>

#include "measure/processor/no_return_register.hpp"

namespace tarry::measure::processor {

inline constexpr bool kHasCallPaths = false;

/// No register has such a number.
inline constexpr std::uint64_t kFramePointer = 100, kStackPointer = 101, kReturnAddress = 102;

inline constexpr std::uintptr_t kEndOfPrograms = std::uintptr_t{1} << 47;

/// Relocations of the addresses of functions and data.
#if defined(__riscv)
inline constexpr std::uint32_t kJumpSlot = R_RISCV_JUMP_SLOT, kGlobalData = R_RISCV_64;
#elif defined(__powerpc64__)
inline constexpr std::uint32_t kJumpSlot = R_PPC64_JMP_SLOT, kGlobalData = R_PPC64_GLOB_DAT;
#else
inline constexpr std::uint32_t kJumpSlot = ~0u, kGlobalData = ~0u;
#endif

inline constexpr std::uintptr_t kSavedFramePointer = 0, kSavedStack = 0, kSavedInstruction = 0;

constexpr std::uintptr_t instruction_of(const ucontext_t&) { return 0; }
constexpr std::uintptr_t stack_of(const ucontext_t&) { return 0; }
constexpr std::uintptr_t frame_pointer_of(const ucontext_t&) { return 0; }
constexpr std::uintptr_t third_argument_of(const ucontext_t&) { return 0; }

inline constexpr unsigned long kHasRestorer = 0;

}  // namespace tarry::measure::processor

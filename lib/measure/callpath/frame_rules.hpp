// frame_rules.hpp -- how to get from a function's stack frame to that of its caller, at one place in its code.
//
// Compilers describe that in the section .eh_frame, for exceptions. For each instruction it tells how to compute
// the canonical frame address (CFA), and where the caller's registers lie. The CFA is the stack pointer right before
// the call. Of that, three numbers are enough: nearly all code computes the CFA from the stack or the frame pointer.
// Source: DWARF 5, section 6.4; System V ABI for AMD64, section 3.7; Linux Standard Base 5, section 10.6.
// For AArch64: DWARF for the Arm 64-bit Architecture, section 4.
//
// Calls: handler-safe.
#pragma once

#include <cstdint>

namespace tarry::measure {

struct FrameRule {
  enum class Kind : std::uint8_t {
    kUnknown,     // no description, or one that is not understood: the walk ends, truncated
    kOutermost,   // there is no caller
    kStack,       // CFA = stack pointer + offset
    kFrame,       // CFA = frame pointer + offset
    kFrameDeref,  // CFA = what lies at frame pointer + offset: a function that has aligned its stack
    kPlt,         // a stub of the dynamic linker: `offset` more once it has pushed
    kSignal,      // of a signal handler: all registers of who was interrupted lie behind the stack pointer
  };

  std::uintptr_t function = 0;     // where the function, or the part of it, begins; 0: unknown
  std::int32_t offset = 0;         // of the CFA
  std::int32_t base_offset = 0;    // of the caller's frame pointer, from the CFA; 0: it still has it
  std::int32_t return_offset = 0;  // of the return address, from the CFA; 0: it is in its register
  Kind kind = Kind::kUnknown;
};

/// The rule at an instruction of the program or of a library. The first time for a place: some microseconds. Takes no
/// lock and no memory, so that signal handlers may ask.
FrameRule frame_rule_at(std::uintptr_t instruction);

}  // namespace tarry::measure

// aarch64_calls.hpp -- where a function was called from, and which instructions call.
//
// Source: Procedure Call Standard for the Arm 64-bit Architecture, section 6.4.6 (frame records).
//
// Calls: handler-safe.
#pragma once

#include <cstdint>

#include "measure/processor/aarch64/aarch64_registers.hpp"

namespace tarry::measure::processor {

/// The stack pointer with which the function was called in which this stands.
[[gnu::always_inline]] inline const void* stack_of_caller_here() { return __builtin_dwarf_cfa(); }

/// What a function keeps of its caller: the frame pointer, which leads to the next such record, and the return address.
struct FrameRecord {
  const FrameRecord* next;
  std::uintptr_t return_address;
};

/// That of the function which was called with the stack pointer `caller`, as long as it has not returned. All functions
/// from there to this one are the recorder's, and keep frame pointers. A record lies anywhere in the frame.
[[gnu::always_inline]] inline const FrameRecord* record_below(const void* caller) {
  const auto* record = static_cast<const FrameRecord*>(__builtin_frame_address(0));
  while (record->next > record && static_cast<const void*>(record->next) < caller) record = record->next;
  return record;
}

/// Of the caller with such a stack pointer.
[[gnu::always_inline]] inline std::uintptr_t return_address_to(const void* caller) {
  return without_signature(record_below(caller)->return_address);
}
[[gnu::always_inline]] inline std::uintptr_t frame_pointer_in(const void* caller) {
  return reinterpret_cast<std::uintptr_t>(record_below(caller)->next);
}

/// A return address as it lies on the stack may be signed.
inline constexpr bool kSignsReturns = true;

/// Instructions of DWARF that tell from where on it is signed: DW_CFA_AARCH64_negate_ra_state and _with_pc.
constexpr bool is_signing(std::uint8_t code) { return code == 0x2d || code == 0x2c; }

/// A function that has called nothing yet may have its return address in a register.
inline constexpr bool kReturnsByRegister = true;

/// A frame's return address lies there, from the CFA.
constexpr bool is_return_place(std::int64_t offset) { return offset != 0; }
constexpr std::uintptr_t return_place(std::uintptr_t cfa, std::int32_t offset) {
  return cfa + static_cast<std::uintptr_t>(std::intptr_t{offset});
}

/// Where the return address of a frame lies; 0: in its register.
struct ReturnPlace {
  std::uintptr_t place = 0;

  constexpr void note(std::uintptr_t where) { place = where; }
  constexpr std::uintptr_t below(std::uintptr_t) const { return place; }
};

/// Whether a call ends right in front of `behind`, where so many bytes can be read.
inline constexpr int kLongestCall = 4;
inline bool is_behind_call(const std::uint8_t* behind) {
  if (reinterpret_cast<std::uintptr_t>(behind) % sizeof(std::uint32_t) != 0) return false;
  const std::uint32_t code = reinterpret_cast<const std::uint32_t*>(behind)[-1];
  const bool is_direct = (code & 0xfc000000) == 0x94000000;
  const bool is_indirect = (code & 0xfffffc1f) == 0xd63f0000 || (code & 0xfefff800) == 0xd63f0800;  // signed ones
  return is_direct || is_indirect;
}

/// Whether the instruction in front is the one that enters the kernel.
inline bool is_behind_system_call(std::uintptr_t instruction) {
  constexpr std::uintptr_t kPage = 4096;
  if (instruction % kPage < sizeof(std::uint32_t)) return false;  // the page before may not be there
  return reinterpret_cast<const std::uint32_t*>(instruction)[-1] == 0xd4000001;
}

/// Nothing describes stubs of the dynamic linker.
inline constexpr bool kHasDescribedStubs = false;
constexpr std::uintptr_t pushed_in_stub(std::uintptr_t) { return 0; }

/// Of a stub that nothing describes.
struct StubFrame {
  bool is_stub = false;
  std::uint32_t pushed = 0;        // bytes
  std::uint32_t return_place = 0;  // behind the stack pointer, if something is pushed; else it is in its register
};

/// Whether the code there, which is on its way, belongs to a stub. Linkers write several forms of stubs.
StubFrame stub_at(const std::uint32_t* code);

/// Whether that code, which nothing describes, ends a signal's handler: it makes the system call rt_sigreturn.
inline bool is_signal_return(const std::uint32_t* code) { return code[0] == 0xd2801168 && code[1] == 0xd4000001; }

}  // namespace tarry::measure::processor

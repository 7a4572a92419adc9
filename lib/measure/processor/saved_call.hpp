// saved_call.hpp -- a call that is on its way to another function: its registers, as tarry_wrapped_call() keeps them.
//
// That function is written in assembler, one for each processor. It calls tarry_begin_wrapped_call(), hands the call
// on, and calls tarry_end_wrapped_call(). What lies on the stack is copied. So the function in front has a frame of its
// own, and every return address stays where it is. Exceptions, jumps and unwinders find what they know.
// `other` has none, and there nothing is wrapped.
//
// Calls: handler-safe.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tarry::measure::processor {

/// Registers for arguments that are integers or addresses.
#if defined(__x86_64__)
inline constexpr std::size_t kIntegerArguments = 6;
#else
inline constexpr std::size_t kIntegerArguments = 8;
#endif

/// As the assembler has it, byte for byte.
struct SavedCall {
  std::uintptr_t integers[8];  // arguments; on x86-64 the last two are rax and r10. Behind the call: what it returns
  alignas(16) std::uint8_t floats[8][16];
  void* real;      // the function to call
  void* thread;    // its recording; nullptr: the call is not recorded
  bool has_sizes;  // a region of the call's sizes is open in it
  std::uintptr_t result_place;

  /// An argument by its number among those that are integers or addresses, where others are in registers. `stack` is
  /// the caller's stack pointer.
  std::uintptr_t integer(std::size_t number, const void* stack) const {
    return number < kIntegerArguments ? integers[number]
                                      : static_cast<const std::uintptr_t*>(stack)[number - kIntegerArguments];
  }
};
static_assert(offsetof(SavedCall, floats) == 64 && offsetof(SavedCall, real) == 192 &&
              offsetof(SavedCall, result_place) == 216 && sizeof(SavedCall) == 224);

}  // namespace tarry::measure::processor

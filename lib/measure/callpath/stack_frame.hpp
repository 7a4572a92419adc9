// stack_frame.hpp -- an open function, as the stack of its thread tells.
//
// Calls: handler-safe.
#pragma once

#include <cstdint>

#include "measure/callpath/region_map.hpp"
#include "measure/processor/processor.hpp"

namespace tarry::measure {

/// As the function of a frame: an address in code that belongs to no module, which the program has made at run time.
/// Where the function begins is not known. No function of a module has this number.
inline constexpr std::uintptr_t kRunTimeCode = std::uintptr_t{1} << 63;
constexpr std::uintptr_t run_time_code_at(std::uintptr_t address) { return kRunTimeCode | address << 4; }
constexpr bool is_run_time_code(std::uintptr_t function) { return function & kRunTimeCode; }
constexpr std::uintptr_t run_time_address(std::uintptr_t function) { return (function & ~kRunTimeCode) >> 4; }

/// One open function.
struct StackFrame {
  std::uintptr_t return_address = 0;  // the instruction behind the call that it is in
  std::uintptr_t stack = 0;           // its stack pointer then
  std::uintptr_t base = 0;            // its frame pointer register then, whatever is in there
  std::uintptr_t function = 0;        // where its code begins; 0: unknown, or the start of the process or thread
  std::uintptr_t base_slot = 0;       // where the caller's frame pointer lies, if a frame further out needs it
  bool needs_base = false;            // this frame, or one further out, is found by `base`
  bool is_interrupted = false;        // by a signal: `return_address` is the next instruction + 1
  bool is_in_handler = false;         // of a signal, or called by one
  bool is_on_chain = false;           // of frame pointers that was followed to code with a description
  std::uint32_t marks = 0;            // words that tell whether the frames outside have changed
  std::uint32_t alike = 1;            // consecutive frames of this function, with those outside
  std::uint32_t opened = 0;           // for the user of the stack: what belongs to this frame and those outside it
  RegionId region = kUnknownRegion;   // for the user of the stack: which the function is
  RegionId called = kUnknownRegion;   // the same as it is called from `called_from`
  std::uintptr_t called_from = 0;
  RegionId callee = kUnknownRegion;        // for the user of the stack: what the function has called latest
  RegionId callee_there = kUnknownRegion;  // the same as it is called from `return_address`
  [[no_unique_address]] processor::ReturnRegister link = {};  // its register with a return address, where it has one
  [[no_unique_address]] processor::ReturnPlace return_place = {};  // of the address at which the caller goes on

  /// Whether it is the same call of the same function, if the frames outside are the same.
  bool is_at(const StackFrame& other) const {
    return stack == other.stack && return_address == other.return_address && (!needs_base || base == other.base) &&
           link.fits(other.link);
  }
};

/// A word on the stack that is as it was unless frames have changed.
struct StackWord {
  std::uintptr_t place, value;
};

}  // namespace tarry::measure

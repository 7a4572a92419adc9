// wrapped_function.hpp -- a function of a library in front of which one of ours stands: what is known of it.
//
// wrapped_table.py writes these records as assembler text, byte for byte. They are in a library of their own
// (libtarry-wrap-X.so), with an entry for each function, which jumps to tarry_wrapped_call().
//
// Calls: handler-safe.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tarry::measure {

/// An argument that is recorded, by its number among those that are integers or addresses.
struct WrappedSize {
  enum class Kind : std::uint8_t { kByValue, kByAddress, kArray };

  const char* name;
  Kind kind;
  std::uint8_t width;  // bytes of a number: 4 or 8
  std::uint8_t argument;
  std::uint8_t count;  // of an array: the argument with the number of its elements
};
static_assert(sizeof(WrappedSize) == 16);

/// More words than that are not handed on.
inline constexpr std::uint32_t kMostStackWords = 512;

struct KnownCaller;
class KnownSizes;

struct WrappedFunction {
  void* entry;  // ours
  const char* name;
  const char* library;
  const WrappedSize* sizes;
  std::uint32_t size_count;
  std::uint32_t stack_words;          // arguments on the stack, or more
  std::atomic<void*> real;            // as the program has found it when it started; nullptr: not there
  std::atomic<KnownCaller*> callers;  // else by who calls (real_functions.cpp)
  std::atomic<KnownSizes*> known_sizes;
  std::atomic<std::uint64_t> region;  // 0: not defined yet
};
static_assert(sizeof(WrappedFunction) == 72 && std::atomic<void*>::is_always_lock_free);

}  // namespace tarry::measure

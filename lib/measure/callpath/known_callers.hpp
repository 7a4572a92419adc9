// known_callers.hpp -- calls of functions with hooks by functions without: the stack is walked for the first of each.
//
// Nothing tells the end of a function without hooks. So a function with hooks that is entered inside one has to know
// whether it is still open, and whether others lie in between. What a walk has found is kept with the words of the
// stack that it went by. These are return addresses and frame pointers, from the call out to the innermost frame that
// is known otherwise. As long as the words are as they were, the call comes from the same functions.
//
// Words are compared from the call outwards, up to the first that differs. So each lies in a frame that is there.
//
// Calls: handler-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "measure/callpath/call_stack.hpp"
#include "measure/core/frame_stack.hpp"

namespace tarry::measure {

/// A function with hooks that is entered.
struct HookedCall {
  std::uintptr_t key = 0;        // its address
  std::uintptr_t call_site = 0;  // behind the call, as its hook tells
  std::uintptr_t stack = 0;      // stack pointer of the function, where it called the hook
  std::uintptr_t base = 0;       // the frame pointer register then, whatever is in there
};

class KnownCallers {
 public:
  /// Takes address space. Without it no call is known.
  void open();

  /// Where the innermost open frame is `top`: whether the call is one that has been noted.
  [[gnu::always_inline]] bool knows(const HookedCall& call, const Frame& top, bool is_pinned) const {
    if (!calls_) [[unlikely]]
      return false;
    const Known* known = first_of(call);
    for (std::size_t way = 0; way < kWays; ++way, ++known)
      if (known->is_of(call, top, is_pinned) && are_as_found(*known)) return true;
    return false;
  }

  /// A walk has found `top` to be the innermost open frame around the call. `is_pinned`: other regions are open in it.
  /// The walk went by `words`, outermost first, and by the frame pointer register if it `needs_base`.
  void note(const HookedCall& call, const Frame& top, bool is_pinned, bool needs_base,
            std::span<const StackWord> words);

  void forget();

 private:
  static constexpr std::size_t kWays = 4, kCalls = 64 * kWays;
  static constexpr std::uint32_t kWords = 4096;
  static constexpr std::size_t kMostWords = 256;  // of a call

  struct Known {
    std::uintptr_t key, call_site, stack;
    std::uintptr_t top_key, top_cfa;
    const Frame* top;
    std::uintptr_t base;
    std::uint32_t first_word, words;  // no words: a free place
    bool is_pinned, needs_base;

    bool is_of(const HookedCall& call, const Frame& frame, bool is_frame_pinned) const {
      const std::uintptr_t differences = (key ^ call.key) | (call_site ^ call.call_site) | (stack ^ call.stack) |
                                         ((top_key ^ frame.key) & ~kSampledFrame) | (top_cfa ^ frame.cfa);
      return differences == 0 && top == &frame && is_pinned == is_frame_pinned && (!needs_base || base == call.base);
    }
  };

  Known* first_of(const HookedCall& call) const {
    const std::uint64_t mixed = (call.key ^ call.call_site << 1 ^ call.stack << 17) * 0x9e3779b97f4a7c15u;
    return calls_ + (mixed >> 58) * kWays;
  }
  bool are_as_found(const Known& known) const {
    for (const StackWord* word = words_ + known.first_word + known.words; word-- > words_ + known.first_word;)
      if (*reinterpret_cast<const std::uintptr_t*>(word->place) != word->value) return false;
    return true;
  }
  Known& place_for(const HookedCall& call, const Frame& top, bool is_pinned);

  Known* calls_ = nullptr;
  StackWord* words_ = nullptr;
  std::uint32_t used_words_ = 0;
  std::size_t replaced_ = 0;  // places, of those that were full
};

}  // namespace tarry::measure

// frame_stack.hpp -- the functions, user regions and MPI calls that are open in a thread, with their stack frames.
//
// A function may end unseen: longjmp and exceptions (where the compiler calls no hook for them) go past its exit. Out
// of an error handler they also go past that of an MPI call. The stack pointer shows it: stacks grow downwards, so a
// frame below the one that is entered now is gone. Its leave is made good then, or when a function further out leaves.
// Another stack (of a signal handler, of a coroutine) shows nothing about the frames of this one.
//
// Functions without hooks are found by unwinding at the calls that they make (measure/callpath). They have frames, too.
// Nothing tells their end, so whatever is entered next has to look whether they are still open.
//
// A user region ends with the function that has begun it. An annotated one lasts: what begins it is a constructor or a
// function of a library, and it goes on when that has returned.
//
// Calls: handler-safe.
#pragma once

#include <cstddef>
#include <cstdint>

#include "measure/core/own_stack.hpp"

namespace tarry::measure {

/// In the key of a function's frame: its visit is a sample, so that its leave takes the rare way. No address has it.
inline constexpr std::uintptr_t kSampledFrame = std::uintptr_t{1} << 63;

struct Frame {
  std::uintptr_t key = 0;    // address of the function, or of the name of a user region; kCallKey: an MPI call
  std::uintptr_t stack = 0;  // stack pointer of the function, where it called the hook
  std::uint32_t depth = 0;   // regions that were open in the recording before this one
  bool is_recorded = false;  // false: entered while the recording was paused
  bool is_user = false;      // a user region
  bool is_unwound = false;   // a function without hooks: `stack` is 0, so that the next enter looks at it first
  bool is_lasting = false;   // a user region that goes on behind the end of a function without hooks
  std::uintptr_t cfa = 0;    // of an unwound one: its frame lies below

  /// What lies below belongs to functions that this one has called, or has ended.
  std::uintptr_t lowest() const { return is_unwound ? cfa - 1 : stack; }
};

class FrameStack {
 public:
  /// Takes memory for `limit` frames, and notes where the calling thread's stack lies. False if there is no memory:
  /// then nothing can be entered.
  bool open(std::uint32_t limit);
  /// The same in memory that open() has taken for a thread that has ended.
  void open_again();
  const OwnStack& own_stack() const { return own_; }

  /// The frame entered last. Below the first is one that nothing equals and that is never gone.
  const Frame& top() const { return *top_; }

  bool has_room() const { return top_ < last_; }

  /// The innermost frame that unwinding must not close, in a thread with `depth` open regions. It is not unwound, or
  /// other regions are open in it.
  const Frame* find_base(std::uint32_t depth) const {
    const Frame* frame = top_;
    for (; frame->is_unwound && frame->depth + 1 == depth; --frame) depth = frame->depth;
    return frame;
  }

  /// The innermost frame outside `frame` that is neither unwound nor lasting: if it is not gone, `frame` is not,
  /// either.
  static const Frame* holder_of(const Frame* frame) {
    do --frame;
    while (frame->is_unwound || frame->is_lasting);
    return frame;
  }

  /// True if a function whose frame begins at `cfa` may have been called from inside `frame`.
  bool may_be_inside(std::uintptr_t cfa, const Frame& frame) const;
  void push(const Frame& frame) { *++top_ = frame; }

  /// A function with hooks, or a user region, that is recorded. Its `cfa` has no meaning.
  [[gnu::always_inline]] void push_recorded(std::uintptr_t key, std::uintptr_t stack, std::uint32_t depth, bool is_user,
                                            bool is_lasting = false) {
    Frame* const frame = top_ + 1;
    frame->key = key;
    frame->stack = stack;
    frame->depth = depth;
    frame->is_recorded = true;
    frame->is_user = is_user;
    frame->is_unwound = false;
    frame->is_lasting = is_lasting;
    top_ = frame;
  }
  void pop() { --top_; }

  /// A call of MPI, made with this stack pointer. It lies below the function that makes it, and below another call that
  /// the function makes later. Only if there is room: beyond the limit it is not noted.
  [[gnu::always_inline]] void push_call(std::uintptr_t stack, std::uint32_t depth) {
    push_recorded(kCallKey, stack - 1, depth, false);
  }

  /// Files that the call works with are recorded in it.
  void open_top_call() { top_->key = kOpenCallKey; }

  /// Where push_call() lets a call lie right inside the innermost frame, that is until that has ended. `inside` is a
  /// stack pointer further in: on another stack the call lies there.
  std::uintptr_t place_inside_top(std::uintptr_t inside) const;

  /// Whether the innermost of `depth` open regions is that function, or else that of the thread. It is no recorded call
  /// of a library.
  bool is_code(const Frame& frame, std::uint32_t depth) const {
    return frame.depth + 1 == depth && !is_call_key(frame.key);
  }
  bool is_any_call_on_top() const { return is_call_key(top_->key); }
  /// The same, of a call from which no call is recorded but those of MPI.
  bool is_closed_call_on_top() const { return top_->key == kCallKey; }
  bool is_call_on_top(std::uintptr_t stack) const { return is_call(*top_, stack); }

  /// The same, or only functions are on top that MPI has called back from inside the call, and that have no hooks.
  bool is_call_below_callbacks(std::uintptr_t stack, std::uint32_t depth) const {
    return is_call(*find_base(depth), stack);
  }

  /// True if the top frame may have ended, as seen from a function with this stack pointer: is_top_gone() tells.
  bool is_top_unclear(std::uintptr_t stack) const { return top_->stack < stack && !top_->is_unwound; }

  /// True if the top frame's function has ended, as seen from a function with this stack pointer.
  bool is_top_gone(std::uintptr_t stack) const { return is_gone(*top_, stack); }
  bool is_gone(const Frame& frame, std::uintptr_t stack) const;

  /// The innermost frame is a sample no more.
  void unmark_top() { top_->key &= ~kSampledFrame; }

  /// Whether a function with exactly this stack pointer is open, or was, in frames below which all are gone.
  bool has_exactly(std::uintptr_t key, std::uintptr_t stack) const;

  /// The number of frames to pop so that the frame of the function that leaves is popped last; 0 if it is not there.
  std::size_t count_to(std::uintptr_t key, std::uintptr_t stack) const;

  /// The same for the user region of that name that was entered last.
  std::size_t count_to_region(const char* name) const;

  /// Counts a function that is entered above the limit. The first such call represents all of them on the stack.
  void enter_too_deep(std::uintptr_t stack);

  /// True if the function that leaves was counted by enter_too_deep(), and is no longer.
  bool leave_too_deep(std::uintptr_t stack);

  /// Calls that were not recorded because they were nested too deep.
  std::uint64_t too_deep_calls() const { return too_deep_calls_; }

 private:
  static constexpr std::uintptr_t kTooDeepKey = ~std::uintptr_t{0};
  static constexpr std::uintptr_t kCallKey = 1, kOpenCallKey = 3;  // no function's addresses

  static bool is_call_key(std::uintptr_t key) { return (key & ~(kCallKey ^ kOpenCallKey)) == kCallKey; }
  static bool is_call(const Frame& frame, std::uintptr_t stack) {
    return frame.stack == stack - 1 && is_call_key(frame.key);
  }
  bool is_own(std::uintptr_t stack) const { return stack - own_.begin < own_.size; }

  Frame bottom_{.key = 0, .stack = ~std::uintptr_t{0}, .depth = 0, .is_recorded = false};
  Frame* base_ = &bottom_;
  Frame* top_ = &bottom_;
  Frame* last_ = &bottom_;  // the limit; one more frame fits, for calls that are too deep
  OwnStack own_;
  std::uint64_t too_deep_now_ = 0;
  std::uint64_t too_deep_calls_ = 0;
};

}  // namespace tarry::measure

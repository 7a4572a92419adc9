// call_stack.hpp -- the functions that are open in a thread, as its stack tells: unwound where it has changed.
//
// A program calls MPI from the same few places again and again. What was found last time is kept, with the places on
// the stack where return addresses lie. As long as they lie there, nothing has changed: the frame of a call site has
// the same size each time. Where a frame is measured from the frame pointer, its places are compared, too. So a known
// stack costs a comparison for each frame, and a new one a look-up for each frame that is new.
//
// Calls: handler-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "defs/cut_stacks.hpp"
#include "measure/callpath/rule_cache.hpp"
#include "measure/callpath/walked_frames.hpp"
#include "measure/core/own_stack.hpp"
#include "measure/processor/processor.hpp"

namespace tarry::measure {

/// Where a thread is.
struct Registers {
  std::uintptr_t return_address = 0, stack = 0, base = 0;
  bool is_interrupted = false;  // by a signal: `return_address` is the next instruction + 1
  [[no_unique_address]] processor::ReturnRegister link = {};
};

/// Of the caller, of which processor::stack_of_caller_here() tells, while the function is open that it has called.
[[gnu::always_inline]] inline Registers registers_of(const void* caller) {
  return {.return_address = processor::return_address_to(caller),
          .stack = reinterpret_cast<std::uintptr_t>(caller),
          .base = processor::frame_pointer_in(caller)};
}

class CallStack {
 public:
  /// Takes memory for `limit` frames of the thread whose own stack that is. False if there is no memory.
  bool open(std::size_t limit, const OwnStack& own);

  /// The same in memory that open() has taken for a thread that has ended.
  void open_again(const OwnStack& own) {
    own_ = own;
    forget();
    cut_.reset();
  }

  /// Finds the frames of a thread that is in a call there. Returns how many of the outermost ones are as they were.
  std::size_t update(const Registers& now) {
    if (size_ > 0 &&
        is_known({.return_address = now.return_address, .stack = now.stack, .base = now.base, .link = now.link},
                 size_ - 1)) [[likely]]
      return size_;
    return walk(now);
  }

  /// The next update() finds all frames anew.
  void forget() { size_ = first_walked_ = 0; }

  /// The code has changed: no frame that was found before counts.
  void forget_walks() {
    forget();
    walked_.forget();
  }

  /// Outermost first.
  std::span<const StackFrame> frames() const { return {frames_, size_}; }

  /// Stays with the frame as long as update() finds it as it was.
  void note_opened(std::size_t frame, std::uint32_t opened) { frames_[frame].opened = opened; }
  void note_region(std::size_t frame, RegionId region) { frames_[frame].region = region; }
  void note_called(std::size_t frame, std::uintptr_t from, RegionId region) {
    frames_[frame].called_from = from;
    frames_[frame].called = region;
  }
  void note_callee(std::size_t frame, RegionId region, RegionId there) {
    frames_[frame].callee = region;
    frames_[frame].callee_there = there;
  }

  /// The innermost function is a handler of a signal, or was called by one.
  bool is_in_handler() const { return size_ > 0 && frames_[size_ - 1].is_in_handler; }

  /// The words that tell whether the frames outside `inner` have changed, up to those from `outer` on.
  std::span<const StackWord> words_between(std::size_t outer, std::size_t inner) const {
    const std::uint32_t begin = outer > 0 ? frames_[outer - 1].marks : 0;
    return {marks_ + begin, marks_ + frames_[inner].marks};
  }

  /// The walk did not come to the end: a frame without a description, or more than fit. Then the first frame here has
  /// callers that are not known.
  bool is_truncated() const { return cut_.has_value(); }

  /// Why, if so.
  std::optional<CutStack> cut() const { return cut_; }

 private:
  static constexpr std::uint32_t kSureMarks = 256;

  static std::uintptr_t read(std::uintptr_t address) { return *reinterpret_cast<const std::uintptr_t*>(address); }

  static bool has_changed(const StackWord* begin, const StackWord* end) {
    std::uintptr_t difference = 0;
#pragma GCC unroll 4
    for (const StackWord* mark = begin; mark < end; ++mark) difference |= read(mark->place) ^ mark->value;
    return difference != 0;
  }

  // Whether the frames outside `frame` are as they were. Of very many the middle is taken to be, if both ends are: else
  // each call would cost as much as its recursion is deep.
  bool is_intact(std::size_t frame) const {
    const StackFrame& from = frames_[frame];
    if (from.is_in_handler) [[unlikely]]
      return false;
    const StackWord* const end = marks_ + from.marks;
    if (from.marks <= 2 * kSureMarks) [[likely]]
      return !has_changed(marks_, end);
    return !has_changed(end - kSureMarks, end) && !has_changed(marks_, marks_ + kSureMarks);
  }

  enum class Step : std::uint8_t { kCaller, kOutermost, kNoUnwindInfo, kRunTimeCode, kUnreadable };

  bool is_known(const StackFrame& frame, std::size_t known) const {
    return frames_[known].is_at(frame) && is_intact(known);
  }
  static std::optional<CutStack> cut_at(Step last);
  std::size_t walk(const Registers& now);
  std::size_t find_walked(const Registers& now);
  std::size_t frame_outside(const KeptWalk& walk, const Registers& now) const;
  void take(const KeptWalk& walk, std::size_t outer, std::size_t known);
  void keep_walked();
  std::size_t find_fresh(const StackFrame& innermost, std::size_t& kept);
  Step step(StackFrame& frame, StackFrame& caller) const;
  bool find_base(StackFrame& frame, StackFrame& caller, const FrameRule& rule) const;
  Step step_out_of_leaf(StackFrame& frame, StackFrame& caller, std::uintptr_t cfa, const FrameRule& rule) const;
  Step step_out_of_stub(StackFrame& frame, StackFrame& caller, const processor::StubFrame& stub) const;
  static const std::uint32_t* undescribed_code(const StackFrame& frame);
  Step step_out_of_undescribed(StackFrame& frame, StackFrame& caller) const;
  Step step_out_of_unknown_code(StackFrame& frame, StackFrame& caller) const;
  bool is_return_at(std::uintptr_t place, std::uintptr_t inside) const;
  bool is_link(std::uintptr_t base, std::uintptr_t inside) const;
  std::optional<std::size_t> count_links(const StackFrame& frame) const;
  Step step_over_signal(const StackFrame& frame, StackFrame& caller) const;

  // Whether there is a word that belongs to the stack on which `inside` lies.
  bool is_readable(std::uintptr_t address, std::uintptr_t inside) const {
    if (address % sizeof(std::uintptr_t) != 0 || address < inside) return false;
    return inside - own_.begin < own_.size ? address - own_.begin < own_.size : is_readable_elsewhere(address, inside);
  }
  static bool is_readable_elsewhere(std::uintptr_t address, std::uintptr_t inside);

  void keep_needed_bases(std::size_t first);
  void mark(std::size_t first);

  StackFrame* frames_ = nullptr;  // outermost first
  StackFrame* fresh_ = nullptr;   // innermost first, while they are found
  StackWord* marks_ = nullptr;    // of all frames, outermost first; none for the innermost one
  std::size_t size_ = 0;
  std::size_t limit_ = 0;
  std::size_t first_walked_ = 0;  // the frames from there on are of a walk that is not kept yet; 0: none are
  std::uint32_t changes_ = 0;     // of the table of regions when that walk was made
  WalkedFrames walked_;
  OwnStack own_;
  std::optional<CutStack> cut_;
};

}  // namespace tarry::measure

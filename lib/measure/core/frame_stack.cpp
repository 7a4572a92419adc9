// frame_stack.cpp -- what is rare about open functions: frames that are gone, frames too deep.
#include "measure/core/frame_stack.hpp"

#include <sys/mman.h>

#include <cstring>

namespace tarry::measure {

bool FrameStack::open(std::uint32_t limit) {
  own_ = find_own_stack();
  void* memory = ::mmap(nullptr, (std::size_t{limit} + 2) * sizeof(Frame), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  base_ = top_ = static_cast<Frame*>(memory);
  *base_ = bottom_;
  last_ = base_ + limit;
  return true;
}

void FrameStack::open_again() {
  own_ = find_own_stack();
  top_ = base_;
  too_deep_now_ = too_deep_calls_ = 0;
}

// On our own stack a frame of another stack on top belongs to a handler or coroutine that was left for good.
bool FrameStack::is_gone(const Frame& frame, std::uintptr_t stack) const {
  if (frame.is_lasting) return is_gone(*holder_of(&frame), stack);
  const std::uintptr_t lowest = frame.lowest();
  if (&frame == base_ || lowest == ~std::uintptr_t{0}) return false;
  if (is_own(stack)) return lowest < stack || !is_own(lowest);
  return lowest < stack && !is_own(lowest);
}

// A handler or coroutine with a stack of its own is inside what was open when it began.
bool FrameStack::may_be_inside(std::uintptr_t cfa, const Frame& frame) const {
  const std::uintptr_t lowest = frame.lowest();
  if (&frame == base_ || lowest == ~std::uintptr_t{0}) return true;
  return is_own(cfa - 1) == is_own(lowest) ? cfa <= lowest : is_own(lowest);
}

std::uintptr_t FrameStack::place_inside_top(std::uintptr_t inside) const {
  const bool is_bottom = top_ == base_;
  if (is_own(inside)) return is_bottom || !is_own(top_->lowest()) ? own_.begin + own_.size : top_->lowest();
  return is_bottom || is_own(top_->lowest()) ? inside : top_->lowest();
}

// The same function may be open several times. The frame is the one with the very stack pointer of the hook's call,
// else the innermost. Code that moves its stack pointer (alloca) leaves below where it entered. A function whose last
// step is a jump to the hook leaves above.
std::size_t FrameStack::count_to(std::uintptr_t key, std::uintptr_t stack) const {
  const Frame* nearest = nullptr;
  for (const Frame* frame = top_; frame != base_; --frame) {
    if ((frame->key & ~kSampledFrame) != key) continue;
    if (frame->stack == stack) return static_cast<std::size_t>(top_ - frame) + 1;
    if (!nearest) nearest = frame;
  }
  return nearest ? static_cast<std::size_t>(top_ - nearest) + 1 : 0;
}

bool FrameStack::has_exactly(std::uintptr_t key, std::uintptr_t stack) const {
  for (const Frame* frame = top_; frame->stack <= stack; --frame)
    if (frame->stack == stack && (frame->key & ~kSampledFrame) == key) return true;
  return false;
}

std::size_t FrameStack::count_to_region(const char* name) const {
  for (const Frame* frame = top_; frame != base_; --frame)
    if (frame->is_user && std::strcmp(reinterpret_cast<const char*>(frame->key), name) == 0)
      return static_cast<std::size_t>(top_ - frame) + 1;
  return 0;
}

void FrameStack::enter_too_deep(std::uintptr_t stack) {
  ++too_deep_calls_;
  ++too_deep_now_;
  if (top_->key == kTooDeepKey) return;
  *++top_ = {.key = kTooDeepKey, .stack = stack, .depth = 0, .is_recorded = false};
  too_deep_now_ = 1;
}

bool FrameStack::leave_too_deep(std::uintptr_t stack) {
  if (top_->key != kTooDeepKey) return false;
  const bool is_one_of_them = stack <= top_->stack;
  if (!is_one_of_them || --too_deep_now_ == 0) --top_;
  return is_one_of_them;
}

}  // namespace tarry::measure

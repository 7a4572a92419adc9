// open_handler.cpp -- walks the stack to see whether there is a signal's frame in it.
#include "measure/callpath/open_handler.hpp"

#include "measure/callpath/call_stack.hpp"
#include "measure/callpath/library_call.hpp"

namespace tarry::measure {
namespace {

constexpr std::size_t kMostHandlerFrames = 1024;

CallStack* open_stack() {
  static constinit CallStack stack;
  static constinit bool is_open = false;
  if (!is_open) is_open = stack.open(kMostHandlerFrames, {});
  return is_open ? &stack : nullptr;
}

}  // namespace

[[gnu::noinline]] bool has_open_handler(Thread& thread) {
  CallStack* const stack = open_stack();
  if (!stack) return false;
  stack->open_again(thread.frames.own_stack());
  stack->update(registers_of(stack_of_caller_here()));
  return stack->is_in_handler();
}

}  // namespace tarry::measure

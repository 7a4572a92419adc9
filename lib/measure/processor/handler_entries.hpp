// handler_entries.hpp -- functions in front of signal handlers, which go on by a jump, and calls on another stack.
//
// They are written in assembler, one file for each processor: what they go on to finds its arguments and the stack as
// they were. `other` has them in C++; no signal leads there.
//
// Calls: handler-safe.
#pragma once

#include <csignal>

extern "C" {

/// In front of the program's handlers. Goes on to what tarry_choose_handler() returns, unless that is nullptr.
[[gnu::visibility("hidden")]] void tarry_stand_before_handler(int signal, siginfo_t* info, void* context);

/// What the kernel calls for a sample, and what that returns to. It notes `context` in tarry_sample_context, sets the
/// lowest bit of tarry_signal_state, calls tarry_take_sample() and clears the bit.
[[gnu::visibility("hidden")]] void tarry_sample_handler(int signal, siginfo_t* info, void* context);
[[gnu::visibility("hidden")]] void tarry_return_from_sigaction();

/// Between the first function and the first of these the context is not noted yet. Up to the second one a sample is
/// being taken.
[[gnu::visibility("hidden")]] extern const char tarry_sample_context_kept[], tarry_sample_handler_end[];

/// Calls function(argument) on another stack, which ends at `top`.
[[gnu::visibility("hidden")]] void tarry_call_on_stack(void (*function)(void*), void* argument, void* top);
}

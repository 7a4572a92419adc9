// full_queue.hpp -- where the kernel has no room for one more signal.
//
// Signals of an event wait in a queue, which has a limit for each user. If it is full, the kernel raises SIGIO instead,
// which ends a process that does not expect it. As long as the program has no handler for it, SIGIO has one of ours,
// which closes the thread's event. The timers have their places in the queue.
//
// Calls: handler-safe.
#pragma once

#include <csignal>

#include "measure/sampling/sample_signal.hpp"

namespace tarry::measure {

inline constexpr int kFullQueueSignal = SIGIO;

/// True if events may be used from here on: the program does not handle SIGIO.
bool guard_full_queue();

/// What is to be installed where the program wants that action for SIGIO. If it wants a handler, no events are used any
/// more.
struct sigaction guard_full_queue(const struct sigaction& wanted);

bool is_full_queue_guard(SignalHandler handler);

/// Whether events may be used.
bool is_full_queue_guarded();

/// The program needs all places in the queue: gives up those of our timers. False if there are none.
bool give_up_queue();

}  // namespace tarry::measure

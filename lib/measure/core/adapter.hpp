// adapter.hpp -- what a part of the recorder above the core is told of the recording: hooks in one constant table.
//
// The core knows no adapter. start/adapters.cpp lists them all, in the order in which each hook is called. The table is
// constant: an event may come before any constructor of this library has run.
//
// Calls: may block.
#pragma once

#include <span>

#include "base/units.hpp"

namespace tarry::measure {

struct ProcessFacts;
struct Thread;

struct Adapter {
  /// The recording starts: definitions may be added. No thread has begun.
  void (*starting)(const ProcessFacts& facts) = nullptr;

  /// The recording has started in `thread`, whose root region is entered.
  void (*started)(Thread& thread, const ProcessFacts& facts) = nullptr;

  /// The calling thread's recording begins: before its first record, and behind its root region.
  void (*thread_begins)(Thread& thread) = nullptr;
  void (*thread_has_begun)(Thread& thread) = nullptr;

  /// The recording of a thread ends, with a closed gate, at `time`. The thread may be another one than the caller.
  /// Returns when the regions that are still open end: `time`, or earlier.
  Ticks (*thread_ends)(Thread& thread, Ticks time) = nullptr;

  /// Whether the adapter still looks at a thread that has ended. It is asked again then.
  bool (*needs_ended)(Thread& thread) = nullptr;

  /// A thread that has ended leaves the list of threads, and its memory will be another one's. What is told of all
  /// threads at the end has to be taken from it now.
  void (*thread_leaves)(Thread& thread) = nullptr;

  /// The calling thread has created another one, which may have begun.
  void (*thread_created)() = nullptr;

  /// The recording is about to end. Threads still record, and so may another one end it meanwhile.
  void (*about_to_end)() = nullptr;

  /// All threads have ended. Their summaries are not yet written.
  void (*threads_have_ended)() = nullptr;

  /// Events and summaries are written, definitions not yet.
  void (*ending)() = nullptr;

  /// The last definitions: what the recording has cost.
  void (*describe_costs)(double ticks_per_second) = nullptr;

  /// This is a child process: the recording is its parent's.
  void (*left_to_parent)() = nullptr;
};

/// All of them. Defined by start/adapters.cpp.
/// Calls: handler-safe.
std::span<const Adapter* const> adapters();

/// Calls one hook of each adapter that has it.
/// Calls: handler-safe.
template <class... Parameters, class... Arguments>
void tell_adapters(void (*Adapter::*hook)(Parameters...), Arguments&&... arguments) {
  for (const Adapter* adapter : adapters())
    if (const auto function = adapter->*hook) function(arguments...);
}

}  // namespace tarry::measure

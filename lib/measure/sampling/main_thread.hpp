// main_thread.hpp -- signals of the process that the main thread would get without us.
//
// The kernel gives a signal of the process to the main thread, if that lets it through. But if a sample is due there
// while it waits for a processor, the signal goes to another thread. That may be one of a library, where the program
// does not expect it. So it is sent on. The kernel lets no thread send a signal to another one with all of its
// information. Our own signal says where that is; the main thread sends it to itself.
//
// Calls: handler-safe.
#pragma once

#include <csignal>
#include <cstdint>

namespace tarry::measure {

/// The main thread has samples that can be due while it does not run.
void begin_main_thread();

/// With each of these samples: `mask` are the signals that it blocks.
void note_mask_of_main_thread(std::uint64_t mask);

/// It has none any more.
void forget_main_thread();

/// In another thread: sends a signal that has come to the main thread. False if it is not for that.
bool send_to_main_thread(const siginfo_t& info);

/// In the main thread: does what such a signal of ours says. False if `info` is none. `mask` as above.
bool take_sent_signal(const siginfo_t& info, std::uint64_t mask);

/// The program has timers, or queues signals, for single threads: these are left where they come.
void note_signals_for_threads(int code);

}  // namespace tarry::measure

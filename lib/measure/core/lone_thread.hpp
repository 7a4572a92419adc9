// lone_thread.hpp -- whether the program has had one thread so far.
//
// A lock then makes nobody wait, so it need not be recorded. That ends for good before the program creates a thread, or
// when a thread that came to be in another way records its first event.
//
// Calls: handler-safe.
#pragma once

#include <atomic>

#include "measure/core/recorder.hpp"

namespace tarry::measure {

inline constinit std::atomic<bool> g_has_had_threads = false;

inline void note_second_thread() { g_has_had_threads.store(true, std::memory_order_relaxed); }

/// The calling thread is the only one, and is recorded.
inline bool is_lone_thread() { return t_thread && !g_has_had_threads.load(std::memory_order_relaxed); }

}  // namespace tarry::measure

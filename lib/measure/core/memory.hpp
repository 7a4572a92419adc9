// memory.hpp -- the recorder's allocations do not end the program when there is no memory, and do not lock in handlers.
#pragma once

#include <mutex>

namespace tarry::measure {

struct RuntimeState;

/// Calls work(state), which ends the recording. False if memory ran out before the end. Then its locks are locked for
/// ever, and nothing may be recorded any more.
bool run_within_memory(void (*work)(RuntimeState&), RuntimeState& state);

/// Takes address space for the allocations of signal handlers. False if there is none.
bool prepare_handler_memory();

/// While one lives, the calling thread is in a signal handler. It may have interrupted an allocator, so allocations
/// come from memory of their own, and what is freed stays where it is.
class InHandler {
 public:
  InHandler();
  ~InHandler();
  InHandler(const InHandler&) = delete;
  InHandler& operator=(const InHandler&) = delete;

  /// Whether there is memory for one more step that allocates.
  static bool has_memory();
};

bool is_in_handler();

/// Holds a mutex; in a signal handler only if it is free at once. Its holder may wait for a lock of the allocator,
/// which the thread that was interrupted holds.
class HandlerLock {
 public:
  explicit HandlerLock(std::mutex& mutex) : lock_(mutex, std::defer_lock) {
    if (!is_in_handler()) lock_.lock();
    else static_cast<void>(lock_.try_lock());
  }
  explicit operator bool() const { return lock_.owns_lock(); }

 private:
  std::unique_lock<std::mutex> lock_;
};

}  // namespace tarry::measure

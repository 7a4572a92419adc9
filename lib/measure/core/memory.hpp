// memory.hpp -- the recorder's allocations do not end the program when there is no memory, and do not lock in handlers.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <utility>

namespace tarry::measure {

struct RuntimeState;

/// Calls work(state), which ends the recording. False if memory ran out before the end. Then its locks are locked for
/// ever, and nothing may be recorded any more.
bool run_within_memory(void (*work)(RuntimeState&), RuntimeState& state);

/// Takes address space for the allocations of signal handlers. False if there is none.
bool prepare_handler_memory();

/// What handlers have taken of their memory, and how much of it there is.
extern std::atomic<std::size_t> g_handler_used;
inline constexpr std::size_t kHandlerBytes = 16 << 20, kLeastForStep = 64 << 10;

/// Of the calling thread.
extern __thread bool t_is_in_handler __attribute__((tls_model("initial-exec")));

/// While one lives, the calling thread is in a signal handler. It may have interrupted an allocator, so allocations
/// come from memory of their own, and what is freed stays where it is.
class InHandler {
 public:
  InHandler() : was_in_handler_(std::exchange(t_is_in_handler, true)) {}
  ~InHandler() { t_is_in_handler = was_in_handler_; }
  InHandler(const InHandler&) = delete;
  InHandler& operator=(const InHandler&) = delete;

  /// Whether there is memory for one more step that allocates.
  static bool has_memory() { return g_handler_used.load(std::memory_order_relaxed) + kLeastForStep < kHandlerBytes; }

 private:
  const bool was_in_handler_;
};

inline bool is_in_handler() { return t_is_in_handler; }

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

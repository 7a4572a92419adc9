// recorder_lock.cpp -- waits for the recorder's lock.
#include "measure/core/recorder_lock.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

#include "measure/core/memory.hpp"

namespace tarry::measure {
namespace {

// What the program finds in errno stays.
long futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value, const timespec* limit = nullptr) {
  const int error = errno;
  const long outcome = ::syscall(SYS_futex, &word, operation | FUTEX_PRIVATE_FLAG, value, limit, nullptr, 0);
  const int reason = errno;
  errno = error;
  return outcome < 0 ? -reason : outcome;
}

}  // namespace

// Whoever has waited cannot know whether others still do.
void RecorderLock::wait() {
  while (state_.exchange(kHeldAndAwaited, std::memory_order_acquire) != kFree)
    futex(state_, FUTEX_WAIT, kHeldAndAwaited);
}

// The thread that holds it may wait for a lock that this one held when a signal came.
bool RecorderLock::wait_a_while() {
  constexpr timespec kLimit = {.tv_sec = 2, .tv_nsec = 0};
  while (state_.exchange(kHeldAndAwaited, std::memory_order_acquire) != kFree)
    if (futex(state_, FUTEX_WAIT, kHeldAndAwaited, &kLimit) == -ETIMEDOUT) return try_take();
  return true;
}

void RecorderLock::wake() { futex(state_, FUTEX_WAKE, 1); }

bool TryLocked::take(Wait wait) {
  if (lock_.try_take()) return true;
  if (wait == kNever || t_handler_state == HandlerState::kImpatient) return false;
  if (t_handler_state == HandlerState::kPatient) return lock_.wait_a_while();
  lock_.wait();
  return true;
}

}  // namespace tarry::measure

// recorder_lock.hpp -- the recorder's only lock: no handler runs in a thread that holds it.
//
// A handler that finds a lock taken by its own thread would wait for ever, and one that jumps out (siglongjmp) would
// leave it locked. So signals and cancellation wait while a lock is held. This costs two system calls: locks are for
// the slow path. Other locks do not compile in lib/measure (no_other_locks.hpp).
//
// Calls: handler-safe.
#pragma once

#include <atomic>
#include <cstdint>

#include "measure/core/sanitizer_hooks.hpp"
#include "measure/core/signal_block.hpp"

namespace tarry::measure {

#ifdef TARRY_STOP_AT_LOCKS
/// For a test of the locks (tests/pipeline/lock_sites.sh): the program has this function. It is called right before a
/// lock is taken (0), while it is held (1) and right behind it (2).
extern "C" [[gnu::weak]] void tarry_at_lock(const char* file, int line, int moment);

/// Where in the source a lock is taken.
struct LockSite {
  static LockSite here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) { return {file, line}; }
  void stop(int moment) const {
    if (tarry_at_lock) tarry_at_lock(file, line, moment);
  }
  const char* file;
  int line;
};
#else
struct LockSite {
  static constexpr LockSite here() { return {}; }
  static constexpr void stop(int) {}
};
#endif

/// Around the lifetime of a lock.
class LockStops {
 public:
  explicit LockStops(LockSite site) : site_(site) { site_.stop(0); }
  ~LockStops() { site_.stop(2); }
  LockStops(const LockStops&) = delete;
  LockStops& operator=(const LockStops&) = delete;
  void stop_inside() const { site_.stop(1); }

 private:
  [[no_unique_address]] const LockSite site_;
};

/// What only one thread at a time may use. Held by a Locked or a TryLocked.
class RecorderLock {
 public:
  constexpr RecorderLock() = default;
  RecorderLock(const RecorderLock&) = delete;
  RecorderLock& operator=(const RecorderLock&) = delete;

 private:
  friend class Locked;
  friend class TryLocked;
  enum State : std::uint32_t { kFree, kHeld, kHeldAndAwaited };

  bool try_take() {
    std::uint32_t free = kFree;
    return state_.compare_exchange_strong(free, kHeld, std::memory_order_acquire, std::memory_order_relaxed);
  }
  void take() {
    if (!try_take()) wait();
    tell_taken();
  }
  void tell_taken() { tell_acquired(this); }
  void give_back() {
    tell_released(this);
    if (state_.exchange(kFree, std::memory_order_release) == kHeldAndAwaited) wake();
  }
  void wait();
  bool wait_a_while();
  void wake();

  std::atomic<std::uint32_t> state_{kFree};
};

/// Holds a lock; waits for it as long as it takes. Not for signal handlers.
/// Calls: may block.
class Locked {
 public:
  explicit Locked(RecorderLock& lock, LockSite site = LockSite::here()) : stops_(site), lock_(lock) {
    lock_.take();
    stops_.stop_inside();
  }
  ~Locked() { lock_.give_back(); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  [[no_unique_address]] const LockStops stops_;
  const SignalBlock no_signals_;
  RecorderLock& lock_;
};

/// Holds a lock if it may. Outside of signal handlers it waits. In a handler (memory.hpp) it takes the lock only if it
/// is free at once, or soon if the thread is patient. Its holder may wait for a lock of the allocator, which the thread
/// that was interrupted holds.
class TryLocked {
 public:
  enum Wait { kAsAllowed, kNever };
  explicit TryLocked(RecorderLock& lock, Wait wait = kAsAllowed, LockSite site = LockSite::here())
      : stops_(site), lock_(lock), is_held_(take(wait)) {
    if (is_held_) lock_.tell_taken();
    if (is_held_) stops_.stop_inside();
  }
  ~TryLocked() {
    if (is_held_) lock_.give_back();
  }
  TryLocked(const TryLocked&) = delete;
  TryLocked& operator=(const TryLocked&) = delete;

  explicit operator bool() const { return is_held_; }

 private:
  bool take(Wait wait);

  [[no_unique_address]] const LockStops stops_;
  const SignalBlock no_signals_;
  RecorderLock& lock_;
  const bool is_held_;
};

}  // namespace tarry::measure

// guard.hpp -- keeps the recorder from recording itself: hooks, signal handlers and other threads at the end of a run.
//
// Calls: handler-safe.
#pragma once

#include <atomic>
#include <cstdint>

namespace tarry::measure {

/// One per thread. Only its thread begins a step; a signal handler that interrupts one finds it begun and
/// records nothing, so that records stay whole. Any thread may close the gate, for ever, or pause it for a while. The
/// gate also tells whether counters are to be read or a coalesced visit is to be closed: one test answers everything.
class Gate {
 public:
  bool is_open() const { return !step_ && !(shut_.load(std::memory_order_relaxed) & (kClosed | kPaused)); }
  /// Open, and a step is nothing but the step: no counters are read with it, no coalesced visit is to be closed before
  /// it.
  bool is_open_and_plain() const { return (shut_.load(std::memory_order_relaxed) | step_) == 0; }
  /// Open, or paused: call-stack bookkeeping continues.
  bool is_in_use() const { return !step_ && !is_closed(); }
  bool is_busy() const { return *const_cast<const volatile std::uintptr_t*>(&step_); }
  bool is_closed() const { return shut_.load(std::memory_order_relaxed) & kClosed; }
  bool is_paused() const { return shut_.load(std::memory_order_relaxed) & kPaused; }
  /// Calls have been made that are not recorded yet (coalesced_calls.hpp): that comes before the next step.
  bool has_coalesced_visit() const { return shut_.load(std::memory_order_relaxed) & kCoalesces; }
  void close() { shut_.fetch_or(kClosed, std::memory_order_release); }

  /// The program goes on with this stack pointer, above that of a recording step that was interrupted: the step is
  /// over.
  bool abandon_step_below(std::uintptr_t stack) {
    if (!step_ || step_ >= stack) return false;
    step_ = 0;
    return true;
  }
  void pause() { shut_.fetch_or(kPaused, std::memory_order_release); }
  /// From here on counters belong to each step.
  void count() { shut_.fetch_or(kCounts, std::memory_order_release); }
  void resume() { shut_.fetch_and(~kPaused, std::memory_order_release); }
  void begin_coalescing() { shut_.fetch_or(kCoalesces, std::memory_order_release); }
  void end_coalescing() { shut_.fetch_and(~kCoalesces, std::memory_order_release); }

 private:
  friend class Guard;
  friend class Hold;
  friend class LongHold;
  static constexpr std::uintptr_t kClosed = 1, kPaused = 2, kCounts = 4, kCoalesces = 8;

  std::uintptr_t step_ = 0;  // stack address of the recording step that is being done; 0: none
  std::atomic<std::uintptr_t> shut_ = 0;
};

/// Holds a gate during one recording step; false if the step must not be done. With `kEvenPaused` a paused gate lets
/// the step through: it keeps the thread's books.
class Guard {
 public:
  enum Mode { kRecords, kEvenPaused };

  explicit Guard(Gate& gate, Mode mode = kRecords)
      : gate_(gate), is_inside_(mode == kEvenPaused ? gate.is_in_use() : gate.is_open()) {
    if (is_inside_) gate_.step_ = reinterpret_cast<std::uintptr_t>(this);
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  ~Guard() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (is_inside_) gate_.step_ = 0;
  }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

  explicit operator bool() const { return is_inside_; }

 private:
  Gate& gate_;
  const bool is_inside_;
};

/// Holds a gate that the caller has found open, until it is released. The step's address is that of a return address on
/// the stack. Nothing has to be done behind a call that goes on with the step, so it may be a jump.
class LongHold {
 public:
  [[gnu::always_inline]] LongHold(Gate& gate, std::uintptr_t stack) : gate_(gate) {
    gate_.step_ = stack - sizeof(void*);
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  [[gnu::always_inline]] void release() { release(gate_); }
  [[gnu::always_inline]] static void release(Gate& gate) {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    gate.step_ = 0;
  }

 private:
  Gate& gate_;
};

/// Holds a gate that the caller has found open. It does not tell its own address, so that it may lie in a register.
class Hold {
 public:
  [[gnu::always_inline]] explicit Hold(Gate& gate) : gate_(gate) {
    const char here = 0;
    gate_.step_ = reinterpret_cast<std::uintptr_t>(&here);
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  ~Hold() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    gate_.step_ = 0;
  }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

 private:
  Gate& gate_;
};

}  // namespace tarry::measure

// guard.hpp -- keeps the recorder from recording itself: hooks, signal handlers and other threads at the end of a run.
#pragma once

#include <atomic>
#include <cstdint>

namespace tarry::measure {

/// One per thread. Only its thread sets `busy`; a signal handler that interrupts a recording step finds it set and
/// records nothing, so that records stay whole. Any thread may close the gate, for ever.
class Gate {
 public:
  bool is_open() const { return !busy_ && !closed_.load(std::memory_order_relaxed); }
  bool is_busy() const { return *const_cast<const volatile bool*>(&busy_); }
  void close() { closed_.store(true, std::memory_order_release); }

 private:
  friend class Guard;
  bool busy_ = false;
  std::atomic<bool> closed_ = false;
};

/// Holds a gate during one recording step; false if the step must not be done.
class Guard {
 public:
  explicit Guard(Gate& gate) : gate_(gate), is_inside_(gate.is_open()) {
    if (is_inside_) gate_.busy_ = true;
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  ~Guard() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (is_inside_) gate_.busy_ = false;
  }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

  explicit operator bool() const { return is_inside_; }

 private:
  Gate& gate_;
  const bool is_inside_;
};

}  // namespace tarry::measure

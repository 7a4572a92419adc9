// guard.hpp -- keeps the recorder from recording itself: hooks, signal handlers and other threads at the end of a run.
#pragma once

#include <atomic>
#include <cstdint>

namespace tarry::measure {

/// One per thread. Only its thread sets `busy`; a signal handler that interrupts a recording step finds it set and
/// records nothing, so that records stay whole. Any thread may close the gate, for ever, or pause it for a while.
class Gate {
 public:
  bool is_open() const { return !busy_ && !shut_.load(std::memory_order_relaxed); }
  /// Open, or paused: the thread's books are kept.
  bool is_in_use() const { return !busy_ && !is_closed(); }
  bool is_busy() const { return *const_cast<const volatile bool*>(&busy_); }
  bool is_closed() const { return shut_.load(std::memory_order_relaxed) & kClosed; }
  void close() { shut_.fetch_or(kClosed, std::memory_order_release); }
  void abandon_step() { busy_ = false; }
  void pause() { shut_.fetch_or(kPaused, std::memory_order_release); }
  void resume() { shut_.fetch_and(static_cast<std::uint8_t>(~kPaused), std::memory_order_release); }

 private:
  friend class Guard;
  friend class Hold;
  static constexpr std::uint8_t kClosed = 1, kPaused = 2;

  bool busy_ = false;
  std::atomic<std::uint8_t> shut_ = 0;
};

/// Holds a gate during one recording step; false if the step must not be done. With `kEvenPaused` a paused gate lets
/// the step through: it keeps the thread's books.
class Guard {
 public:
  enum Mode { kRecords, kEvenPaused };

  explicit Guard(Gate& gate, Mode mode = kRecords)
      : gate_(gate), is_inside_(mode == kEvenPaused ? gate.is_in_use() : gate.is_open()) {
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

/// Holds a gate that the caller has found open.
class Hold {
 public:
  explicit Hold(Gate& gate) : gate_(gate) {
    gate_.busy_ = true;
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  ~Hold() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    gate_.busy_ = false;
  }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

 private:
  Gate& gate_;
};

}  // namespace tarry::measure

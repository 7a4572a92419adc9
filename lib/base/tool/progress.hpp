// progress.hpp -- a bar on the terminal that shows how far a long job is.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace tarry {

/// One line on stderr, drawn again at most ten times a second and wiped out at the end:
///   reading events  [############----------------]  43%
/// Appears after half a second, and only where people see it: on a terminal and without --quiet. Everything else costs
/// nothing. Thread-safe but for begin(), which only the thread that made it may call.
class Progress {
 public:
  /// As log_verbosity() and the terminal have it.
  Progress();
  /// `descriptor` is drawn to if `is_shown`, for the first time after `quiet_time` milliseconds.
  Progress(int descriptor, bool is_shown, std::int64_t quiet_time = 500)
      : descriptor_(descriptor), is_shown_(is_shown), quiet_time_(quiet_time) {}
  ~Progress() { wipe(); }
  Progress(const Progress&) = delete;

  bool is_shown() const { return is_shown_; }

  /// The next step of the job; `total` units of work, 0 if it is unknown.
  void begin(std::string step, std::uint64_t total = 0);

  /// Units of work done: a few thousand events, a chunk, a file. Not meant for single events: reads the clock.
  void add(std::uint64_t units) {
    if (is_shown_) advance(units);
  }

  /// Removes the line, before something else is printed. The next begin() or add() draws it again.
  void wipe();

  /// The line for a step, without control characters; `width` characters for the bar.
  static std::string line(const std::string& step, std::uint64_t done, std::uint64_t total, std::size_t width);

 private:
  void advance(std::uint64_t units);
  void draw();

  int descriptor_ = 2;
  bool is_shown_ = false;
  std::int64_t quiet_time_ = 0;
  bool is_drawn_ = false;
  std::string step_;
  std::uint64_t total_ = 0;
  std::atomic<std::uint64_t> done_{0};
  std::atomic<std::int64_t> next_draw_{0};  // milliseconds of the steady clock
  std::atomic_flag drawing_ = ATOMIC_FLAG_INIT;
};

}  // namespace tarry

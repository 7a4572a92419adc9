// suspended_paths.hpp -- call paths of one thread that wait while it runs another task of OpenMP.
//
// A thread that waits inside a task may run other tasks meanwhile, also of the same construct. All tasks of a construct
// share one call path, which lies below the parallel region and not below the path that waits. So the paths of the
// waiting task may be entered once more before they are left. Their visits pause: what they have taken so far is
// counted, and they go on when the other task ends.
//
// Calls: handler-safe.
#pragma once

#include <cstdint>
#include <limits>

#include "archive/profile/profile_memory.hpp"
#include "base/units.hpp"

namespace tarry::measure {

class SuspendedPaths {
 public:
  /// The visits of `open` and of the paths around it, up to the one inside `around`, pause. `task` is about to be
  /// entered. False if there is no memory for it: then nothing has happened.
  bool begin(PathNode* open, const PathNode* around, PathNode& task, Ticks time);

  /// The task whose begin was the latest has ended after `spent`. Returns the path that is open again.
  PathNode* end(PathNode& task, Ticks time, Ticks spent);

  /// Whether this is the path of the task that was begun last. Such a path has no shortest time while it is open.
  bool is_running(const PathNode& path) const { return count_ > 0 && memory_->tasks[count_ - 1].task == &path; }

  /// Gives the memory back. No task runs.
  void release();

  /// How many visits pause.
  std::uint64_t depth() const { return path_count_; }

  /// Calls visit(path, shortest time) for each task that runs or waits and has ended before.
  template <class Visit>
  void each_open_task(Visit visit) const {
    for (std::uint32_t i = 0; i < count_; ++i)
      if (memory_->tasks[i].shortest != kNone) visit(*memory_->tasks[i].task, memory_->tasks[i].shortest);
  }

 private:
  static constexpr std::uint32_t kMostTasks = 1024;     // one inside the other
  static constexpr std::uint32_t kMostPaths = 1 << 15;  // that pause
  static constexpr Ticks kNone = std::numeric_limits<Ticks>::max();

  struct Task {
    PathNode* waiting;         // the innermost path that waits for it
    PathNode* task;            // its own path
    Ticks shortest;            // of the earlier visits of that
    std::uint32_t path_count;  // that pause for it
  };
  struct Memory {
    Task tasks[kMostTasks];
    Ticks spent[kMostPaths];  // by each path that pauses: so far in this visit
  };

  bool open();
  void restore_shortest(PathNode& task, Ticks shortest);

  Memory* memory_ = nullptr;
  std::uint32_t count_ = 0;
  std::uint32_t path_count_ = 0;
};

}  // namespace tarry::measure

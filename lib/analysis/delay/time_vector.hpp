// time_vector.hpp -- time per call path: while it is added up, and as a list.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/units.hpp"
#include "replay/trees/call_tree.hpp"

namespace tarry {

/// Ticks of a unified call path.
struct PathTime {
  PathIndex path;
  Ticks time;
};
/// A time vector: sorted by path, no zeros.
using PathTimes = std::vector<PathTime>;

Ticks total_of(const PathTimes& times);

/// A time vector while it is added up: one place for each unified call path, and which of them are in use. Of the first
/// 64 call paths a bit tells that: most programs have no more, and need neither a list nor a sort.
class TimeVector {
 public:
  /// `time` may be negative. What is below 0 in the end counts as 0.
  void add(PathIndex path, Ticks time) {
    if (path >= times_.size()) [[unlikely]]
      make_room(path);
    note(path, first_paths_);
    times_[path] += time;
  }

  /// Adds what for_each(visit) passes to visit(path, time): all paths are below `path_count`.
  template <class ForEach>
  void add_all(PathIndex path_count, ForEach for_each) {
    if (path_count > times_.size()) [[unlikely]]
      make_room(path_count - 1);
    std::uint64_t first_paths = first_paths_;  // stays in a register
    Ticks* const times = times_.data();
    for_each([&](PathIndex path, Ticks time) {
      note(path, first_paths);
      times[path] += time;
    });
    first_paths_ = first_paths;
  }

  Ticks operator[](PathIndex path) const { return path < times_.size() ? std::max<Ticks>(0, times_[path]) : 0; }

  void clear() {
    for (std::uint64_t left = first_paths_; left != 0; left &= left - 1) times_[lowest(left)] = 0;
    for (const PathIndex path : other_paths_) times_[path] = 0;
    first_paths_ = 0;
    other_paths_.clear();
  }

  /// Afterwards the vector is empty.
  void move_to(PathTimes& into);

 private:
  static constexpr PathIndex kFirstPaths = 64;

  static PathIndex lowest(std::uint64_t paths) { return static_cast<PathIndex>(std::countr_zero(paths)); }
  void note(PathIndex path, std::uint64_t& first_paths) {
    if (path < kFirstPaths) [[likely]]
      first_paths |= std::uint64_t{1} << path;
    else if (times_[path] == 0) other_paths_.push_back(path);
  }
  void make_room(PathIndex path) { times_.resize(std::max<std::size_t>(path + 1, kFirstPaths), 0); }

  std::vector<Ticks> times_;
  std::uint64_t first_paths_ = 0;       // a bit for each of them that is in use
  std::vector<PathIndex> other_paths_;  // some twice: those that were back at 0 for a while
};

/// into(c) = max(0, cause(c) - waiter(c)).
void difference(const PathTimes& cause, const TimeVector& waiter, PathTimes& into);

/// The time vector of the reference analyser (--compat), which holds at most 128 call paths. Time of a path that finds
/// no room is collected aside. When another path comes, the collected time replaces the smallest entry if it is larger.
/// Otherwise it is lost (docs/METRICS.md, "Where the two modes differ").
class CappedTimes {
 public:
  void add(PathIndex path, Ticks time);

  /// Time that waits aside finds its place now.
  void settle();

  std::vector<std::pair<PathIndex, Ticks>>& entries() { return entries_; }
  void clear();

 private:
  static constexpr std::size_t kMostPaths = 128;

  std::pair<PathIndex, Ticks>* find(PathIndex path);

  std::vector<std::pair<PathIndex, Ticks>> entries_;  // in order of arrival
  PathIndex aside_path_ = kNoPath;
  Ticks aside_time_ = 0;
};

}  // namespace tarry

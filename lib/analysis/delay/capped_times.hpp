// capped_times.hpp -- the reference analyser's time vector, which holds at most 128 call paths (--compat).
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "base/units.hpp"
#include "replay/trees/call_tree.hpp"

namespace tarry {

/// Time per call path, for a bounded number of paths. Time of a path that finds no room is collected aside. When
/// another path comes, the collected time replaces the smallest entry if it is larger. Otherwise it is lost
/// (docs/METRICS.md, "Where the two modes differ").
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

// iteration_scan.hpp -- gives the iterations of a time series call paths of their own while a process is read.
#pragma once

#include <vector>

#include "replay/iterations/iteration_marks.hpp"
#include "replay/logical_rank.hpp"

namespace tarry {

/// The iterations of one process. What is called in an iteration lies below its call path, also on other threads. An
/// iteration inside an iteration is a part of it.
class IterationScan {
 public:
  /// `marks`: nullptr or empty if no series is wanted.
  IterationScan(const IterationMarks* marks, LogicalRank& rank)
      : marks_(marks && !marks->is_empty() ? marks : nullptr), rank_(rank) {}

  bool has(RegionId region) const { return marks_ && marks_->has(region); }

  /// The call path of a visit that begins. `visits`: of the thread so far, among those that have no numbers.
  PathIndex enter(PathIndex parent, RegionId region, std::uint64_t& visits);

 private:
  void add(PathIndex path, std::uint64_t first);
  bool is_inside(PathIndex path);

  const IterationMarks* marks_;
  LogicalRank& rank_;
  std::vector<bool> is_inside_;                      // [call path], as far as looked at
  FlatMap<std::uint64_t, PathIndex> path_of_group_;  // by the usual call path of the region, and the group
};

}  // namespace tarry

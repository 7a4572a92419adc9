// path_values.hpp -- what a summary holds of each call path: visits and times, transfers, and values of counters.
//
// Calls: handler-safe.
#pragma once

#include "measure/core/counter_sums.hpp"
#include "measure/core/profile_slabs.hpp"

namespace tarry::measure {

class PathValues {
 public:
  explicit PathValues(ProfileSlabs& slabs) : slabs_(slabs) {}

  CounterSums& counters() { return counters_; }

  /// What a path sends and receives.
  TransferCounts& transfers_of(PathNode& path) { return path.transfers ? *path.transfers : make_transfers(path); }

  void add(PathNode& to, PathNode& from);
  void clear(PathNode& path) const;

  /// Makes a path that is not open, and those below it, as if they had never been visited.
  void forget(PathNode& path) const;

 private:
  TransferCounts& make_transfers(PathNode& path);

  ProfileSlabs& slabs_;
  CounterSums counters_;
  TransferCounts lost_transfers_;  // without memory of their own
};

}  // namespace tarry::measure

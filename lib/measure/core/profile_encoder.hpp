// profile_encoder.hpp -- makes a profile of a thread's call paths, for the archive.
//
// Calls: handler-safe.
#pragma once

#include <vector>

#include "archive/profile/profile_codec.hpp"
#include "measure/core/counter_sums.hpp"
#include "measure/core/path_tree.hpp"

namespace tarry::measure {

class ProfileEncoder {
 public:
  ProfileEncoder(PathTree& paths, const CounterSums& counters) : paths_(paths), counters_(counters) {}

  /// False if there are more call paths than were made: the thread is changing them.
  bool collect();

  /// In what was collected, open paths end at `time`. False if one of them is not there.
  bool end_open_paths(Ticks time);

  void encode(ByteWriter& out) const { encode_profile(out, profile_); }

 private:
  void add(PathNode& path);
  ProfileNode node_of(const PathNode& path) const;
  void list_children(PathNode& parent);
  void add_clusters(const LoopClusters& clusters);

  PathTree& paths_;
  const CounterSums& counters_;
  Profile profile_;
  std::vector<PathNode*> pending_;
  std::vector<const LoopClusters*> loops_;
};

}  // namespace tarry::measure

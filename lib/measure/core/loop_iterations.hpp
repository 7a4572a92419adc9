// loop_iterations.hpp -- the call paths of a loop's iterations that have no path of their own, by cluster.
//
// What an iteration does that is running goes to the loop's own path. When it ends, its values move to the path of its
// cluster, with those of all paths below.
//
// Calls: handler-safe.
#pragma once

#include <cstdint>

#include "defs/definitions.hpp"
#include "measure/core/iteration_clusters.hpp"
#include "measure/core/path_tree.hpp"
#include "measure/core/path_values.hpp"

namespace tarry::measure {

/// The iterations of a loop that have ended.
struct LoopClusters {
  IterationClusters iterations;
  PathNode* paths[IterationClusters::kMost] = {};  // of each cluster; not in the tree
  std::int64_t running = 0;                        // number of the iteration
  std::uint32_t most = 0;
};

class LoopIterations {
 public:
  LoopIterations(PathTree& paths, PathValues& values) : paths_(paths), values_(values) {}

  /// To be called before entering the region of an iteration. The one before it joins a cluster of similar ones, of
  /// which there are `most` at most. Without memory for clusters all share one call path.
  void begin(RegionId region, std::int64_t number, std::uint32_t most);

  /// Those that were begun last, in all loops.
  void end_all();

  /// Gives the memory of all clusters back.
  void release();

 private:
  template <class Visit>
  void each_path(Visit visit);
  void end(PathNode& loop);
  PathNode* path_of_cluster(PathNode& loop, std::uint32_t cluster);
  void move_values(PathNode& from, PathNode& into);

  PathTree& paths_;
  PathValues& values_;
};

}  // namespace tarry::measure

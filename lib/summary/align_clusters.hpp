// align_clusters.hpp -- clusters of iterations that threads have made on their own get common numbers.
//
// Iteration 100 may be alike to iteration 200 in one process and not in another. The first thread's clusters are
// numbered by their first iterations. A cluster of another thread gets the number of the one that it shares most
// iterations with, or a number of its own.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "archive/profile/profile_codec.hpp"

namespace tarry {

class ClusterNumbers {
 public:
  /// The numbers (from 0 on) of one thread's clusters, all different.
  std::vector<std::size_t> align(std::span<const IterationCluster> clusters);

  std::size_t count() const { return first_.size(); }

  /// Iterations of the cluster in the first thread that has it: "1000-1008,1010-1018,... (900 in all)", "0-90 by 10".
  /// If other threads have other iterations there, it tells so. `visits`: iterations in that thread, listed or not.
  std::string text_of(std::size_t number, std::uint64_t visits) const;

 private:
  std::vector<std::vector<IterationRun>> first_;  // by number: in the first thread that has it
  std::vector<std::size_t> threads_, others_;     // by number: that have it, and those with other iterations
};

}  // namespace tarry

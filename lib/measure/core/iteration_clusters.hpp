// iteration_clusters.hpp -- which iterations of a loop are alike, in memory that does not grow with their number.
//
// Z. Szebenyi, F. Wolf, B. Wylie: "Space-efficient time-series call-path profiling of parallel applications" (SC'09):
// iterations join clusters as they end. One that is like no cluster gets one of its own. When there are too many, the
// two that are nearest to each other become one. Distances are those of a condensed profile of an iteration, its sums
// over a few groups of call paths. Every thread decides by itself.
//
// Calls: handler-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tarry::measure {

/// What distances between iterations are taken from. Call paths fall into groups by their region and its caller.
struct CondensedProfile {
  static constexpr std::size_t kGroups = 16;

  double time[kGroups] = {};  // ticks of the call paths themselves
  double visits[kGroups] = {};
  double bytes = 0;  // sent and received

  double sum_of_times() const;
  double sum_of_visits() const;
};

/// The clusters of one loop at one call path of one thread. Zeros are a valid state: it may lie in memory of the
/// kernel.
class IterationClusters {
 public:
  static constexpr std::uint32_t kMost = 64;
  static constexpr std::uint32_t kNone = ~0u;

  /// What has to happen to the profiles of clusters. First that of `emptied` joins that of `filled` (unless they are
  /// kNone). Then that of the iteration joins that of `cluster`.
  struct Decision {
    std::uint32_t cluster = 0;
    std::uint32_t emptied = kNone;
    std::uint32_t filled = kNone;
  };

  /// Consecutive iterations in one cluster.
  struct Run {
    std::int64_t first = 0;
    std::uint32_t count = 0;
    std::uint32_t cluster = 0;
  };

  /// An iteration has ended. At most `most` (up to kMost) clusters are made.
  Decision add(std::int64_t number, const CondensedProfile& iteration, std::uint32_t most);

  std::uint32_t count() const { return count_; }

  /// In order of time. When there is no room for more, iterations are not listed any longer.
  std::span<const Run> runs() const { return {runs_, run_count_}; }

 private:
  // Iterations that differ by less than this part of the mean iteration are alike.
  static constexpr double kAlike = 0.1;
  static constexpr std::size_t kMostRuns = 8192;

  struct Cluster {
    double iterations = 0;
    CondensedProfile mean;
  };

  double distance(const CondensedProfile& one, const CondensedProfile& other) const;
  std::uint32_t nearest(const CondensedProfile& iteration, double& least) const;
  void join(Cluster& cluster, const CondensedProfile& mean, double iterations);
  void update_distances(std::uint32_t cluster);
  void note(std::int64_t number, std::uint32_t cluster);
  void relabel(std::uint32_t emptied, std::uint32_t filled);

  std::uint32_t count_ = 0;
  Cluster clusters_[kMost];
  float distances_[kMost][kMost] = {};  // between clusters, as they were when one of the two changed last
  double iterations_ = 0;               // of all clusters, and what they sum up to
  double time_ = 0, visits_ = 0, bytes_ = 0;
  std::size_t run_count_ = 0;
  Run runs_[kMostRuns];
};

}  // namespace tarry::measure

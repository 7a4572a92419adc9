// imbalance_kind.hpp -- what kind of imbalance the values of all processes are.
//
// Sorted values are divided into groups of processes that are alike. Two neighbouring groups count as two only if the
// difference of their means is large against the scatter within them. How large it must be depends on the number of
// processes: among four, a wide gap happens by chance. Source: docs/METRICS.md, "Kinds of imbalance".
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tarry {

enum class ImbalanceShape : std::uint8_t {
  kBalanced,             // no process differs more than noise does
  kOverloadedMinority,   // at most a quarter of the processes, above all others
  kUnderloadedMinority,  // at most a quarter, below all others
  kClusters,             // several groups of processes that are alike, none of which has three quarters of them
  kSpread,               // values differ from process to process, without groups
  kUnclear,              // the values do not tell, or there are too few of them
};

/// "balanced", "overloaded_minority", ...
std::string_view name_of(ImbalanceShape shape);

/// Processes that are alike: a stretch of the sorted values.
struct ValueGroup {
  std::size_t size = 0;
  double mean = 0;
  double deviation = 0;  // standard, within the group
};

struct ImbalanceKind {
  ImbalanceShape shape = ImbalanceShape::kUnclear;
  double certainty = 0;  // 1 - probability that values of another kind look like this; 0 if unclear
  double mean = 0, median = 0, least = 0, most = 0;
  double deviation = 0;               // standard deviation of all
  double robust_deviation = 0;        // 1.4826 times the median distance from the median: outliers do not count
  double skewness = 0;                // above 0: the long tail is above
  double percentage = 0;              // (most - mean) / most * n / (n - 1): 0 balanced, 1 a single process does it all
  double separation = 0;              // of the two closest groups: distance of their means / deviation within them
  std::vector<ValueGroup> groups;     // from the lowest on; one if none are told apart
  std::vector<std::size_t> minority;  // numbers of the processes that differ, ascending; of a minority only
  std::vector<std::size_t> highest;   // of the processes in the highest group; of clusters only
};

/// Values that are not finite are not comparable: one of them makes the kind unclear. Time is that of sorting.
ImbalanceKind imbalance_kind(std::span<const double> values);

}  // namespace tarry

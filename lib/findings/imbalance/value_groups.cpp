// value_groups.cpp -- one-dimensional k-means with too many groups, exactly; then neighbours are put together.
//
// k-means alone halves a large group before it finds a small one, and finds groups in everything. With more groups
// than there can be, small groups have one of their own. Among very many values, a lone one has that only because cuts
// at the widest gaps are added. What is not apart is put together again.
#include "findings/imbalance/value_groups.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace tarry {
namespace {

constexpr std::size_t kMostGroups = 12;  // to begin with
constexpr std::size_t kMostBins = 256;   // by number of values, and again by their range
constexpr std::size_t kGaps = 4;         // that are cuts, too, ...
constexpr std::size_t kManyValues = 64;  // ... from here on
constexpr double kInfinity = std::numeric_limits<double>::infinity();

ValueRun joined(const ValueRun& low, const ValueRun& high) {
  ValueRun all{low.first, low.size + high.size, low.sum + high.sum, low.squares + high.squares};
  const double distance = high.mean() - low.mean();
  const double weight = static_cast<double>(low.size) * static_cast<double>(high.size) / static_cast<double>(all.size);
  all.squares += distance * distance * weight;
  return all;
}

// Runs of values so close to each other that no group ends within. A lone value far from all others has a run of its
// own.
std::vector<ValueRun> bins_of(std::span<const double> sorted) {
  const std::size_t most = sorted.size() <= kMostBins ? 1 : (sorted.size() + kMostBins - 1) / kMostBins;
  const double width = (sorted.back() - sorted.front()) / kMostBins;
  std::vector<ValueRun> bins;
  double begin = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const ValueRun own{i, 1, sorted[i], 0};
    if (bins.empty() || bins.back().size >= most || sorted[i] - begin > width) {
      bins.push_back(own);
      begin = sorted[i];
    } else {
      bins.back() = joined(bins.back(), own);
    }
  }
  return bins;
}

// Exact k-means of sorted bins by dynamic programming: the cuts with the least sum of squares.
class Division {
 public:
  explicit Division(const std::vector<ValueRun>& bins) : bins_(bins) {}

  // Where groups begin, ascending, the first one left out.
  std::vector<std::size_t> into(std::size_t groups) const {
    const std::size_t n = bins_.size();
    std::vector<double> cost(n + 1, kInfinity), next;
    cost[0] = 0;
    std::vector<std::vector<std::size_t>> cuts;  // [group][end]: where the group begins
    for (std::size_t group = 0; group < groups; ++group) {
      next.assign(n + 1, kInfinity);
      cuts.emplace_back(n + 1, 0);
      for (std::size_t end = group + 1; end <= n; ++end) add_group(cost, end, group, next[end], cuts.back()[end]);
      cost.swap(next);
    }
    std::vector<std::size_t> found;
    for (std::size_t end = n, group = groups; group-- > 1;) found.push_back(end = cuts[group][end]);
    std::ranges::reverse(found);
    return found;
  }

 private:
  // From the right to the left: the squares of the last group only grow.
  void add_group(const std::vector<double>& cost, std::size_t end, std::size_t least, double& best,
                 std::size_t& cut) const {
    ValueRun last = bins_[end - 1];
    for (std::size_t begin = end - 1;; --begin) {
      if (cost[begin] + last.squares < best) {
        best = cost[begin] + last.squares;
        cut = begin;
      }
      if (begin == least || last.squares >= best) return;
      last = joined(bins_[begin - 1], last);
    }
  }

  const std::vector<ValueRun>& bins_;
};

// Bins that begin behind the widest gaps.
std::vector<std::size_t> widest_gaps(std::span<const double> sorted, const std::vector<ValueRun>& bins) {
  std::vector<std::pair<double, std::size_t>> gaps;
  for (std::size_t i = 1; i < bins.size(); ++i) gaps.emplace_back(sorted[bins[i].first] - sorted[bins[i].first - 1], i);
  const std::size_t most = std::min(kGaps, gaps.size());
  std::ranges::partial_sort(gaps, gaps.begin() + static_cast<std::ptrdiff_t>(most), std::greater());
  std::vector<std::size_t> cuts;
  for (std::size_t i = 0; i < most; ++i) cuts.push_back(gaps[i].second);
  return cuts;
}

// More groups than there are.
std::vector<ValueRun> many_groups(std::span<const double> sorted) {
  const std::vector<ValueRun> bins = bins_of(sorted);
  const std::size_t wanted = std::min(sorted.size() / 2, bins.size());
  std::vector<std::size_t> cuts = Division(bins).into(std::clamp<std::size_t>(wanted, 1, kMostGroups));
  if (sorted.size() >= kManyValues)
    for (const std::size_t cut : widest_gaps(sorted, bins)) cuts.push_back(cut);
  std::ranges::sort(cuts);
  std::vector<ValueRun> groups;
  for (std::size_t i = 0; i < bins.size(); ++i) {
    if (groups.empty() || std::ranges::binary_search(cuts, i)) groups.push_back(bins[i]);
    else groups.back() = joined(groups.back(), bins[i]);
  }
  return groups;
}

// Within all groups together.
double common_deviation(const std::vector<ValueRun>& groups, std::size_t values) {
  double squares = 0;
  for (const ValueRun& group : groups) squares += group.squares;
  return values > groups.size() ? std::sqrt(squares / static_cast<double>(values - groups.size())) : 0;
}

// Index of the lower one of the closest two neighbours.
std::pair<std::size_t, double> closest_of(const std::vector<ValueRun>& groups, double deviation) {
  std::pair<std::size_t, double> best{0, kInfinity};
  for (std::size_t i = 0; i + 1 < groups.size(); ++i)
    if (const double own = separation(groups[i], groups[i + 1], deviation); own < best.second) best = {i, own};
  return best;
}

}  // namespace

double separation(const ValueRun& low, const ValueRun& high, double common) {
  const double freedom = static_cast<double>(low.size + high.size) - 2;
  const double own = freedom > 0 ? std::sqrt((low.squares + high.squares) / freedom) : 0;
  return (high.mean() - low.mean()) / std::max(own, common);
}

ValueGrouping group_values(std::span<const double> sorted, double least_separation, double resolution) {
  ValueGrouping grouping;
  if (sorted.empty()) return grouping;
  std::vector<ValueRun> groups = many_groups(sorted);
  while (groups.size() > 1) {
    // While there are too many groups, the deviation within all of them is too small to tell anything.
    const auto [at, apart] = closest_of(groups, std::max(resolution, common_deviation(groups, sorted.size())));
    grouping.closest = apart;
    if (apart >= least_separation) break;
    groups[at] = joined(groups[at], groups[at + 1]);
    groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(at) + 1);
  }
  grouping.groups = std::move(groups);
  return grouping;
}

}  // namespace tarry

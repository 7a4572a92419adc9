// align_clusters.cpp -- clusters of iterations that threads have made on their own get common numbers.
#include "summary/align_clusters.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace tarry {
namespace {

constexpr std::size_t kNoNumber = ~std::size_t{0};
constexpr std::size_t kMostSegments = 6;
constexpr std::size_t kMostNumbers = 64;  // as many as one thread can have clusters

struct Overlap {
  std::uint64_t iterations = 0;
  std::size_t cluster = 0;
  std::size_t number = 0;
};

std::int64_t end_of(const IterationRun& run) { return run.first + static_cast<std::int64_t>(run.count); }

std::uint64_t count_of(const std::vector<IterationRun>& runs) {
  return std::accumulate(runs.begin(), runs.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const IterationRun& run) { return sum + run.count; });
}

std::vector<std::size_t> in_order_of_time(std::span<const IterationCluster> clusters) {
  std::vector<std::size_t> order(clusters.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&clusters](std::size_t one, std::size_t other) {
    const auto& left = clusters[one].runs;
    const auto& right = clusters[other].runs;
    return !left.empty() && (right.empty() || left.front().first < right.front().first);
  });
  return order;
}

bool are_equal(const std::vector<IterationRun>& left, const std::vector<IterationRun>& right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(), [](const auto& one, const auto& other) {
    return one.first == other.first && one.count == other.count;
  });
}

// Iterations that are in both, largest first.
std::vector<Overlap> find_overlaps(const std::vector<std::vector<IterationRun>>& known,
                                   std::span<const IterationCluster> clusters) {
  std::multimap<std::int64_t, std::pair<std::int64_t, std::size_t>> ends;  // (end, number) by first iteration
  for (std::size_t number = 0; number < known.size(); ++number)
    for (const IterationRun& run : known[number]) ends.insert({run.first, {end_of(run), number}});
  std::map<std::pair<std::size_t, std::size_t>, std::uint64_t> shared;
  for (std::size_t i = 0; i < clusters.size(); ++i)
    for (const IterationRun& run : clusters[i].runs) {
      auto at = ends.upper_bound(run.first);
      if (at != ends.begin()) --at;
      for (; at != ends.end() && at->first < end_of(run); ++at) {
        const std::int64_t begin = std::max(run.first, at->first), end = std::min(end_of(run), at->second.first);
        if (end > begin) shared[{i, at->second.second}] += static_cast<std::uint64_t>(end - begin);
      }
    }
  std::vector<Overlap> overlaps;
  for (const auto& [pair, iterations] : shared) overlaps.push_back({iterations, pair.first, pair.second});
  std::stable_sort(overlaps.begin(), overlaps.end(),
                   [](const Overlap& left, const Overlap& right) { return left.iterations > right.iterations; });
  return overlaps;
}

// The run, and how many single iterations follow on it at equal distances.
std::size_t count_even(const std::vector<IterationRun>& runs, std::size_t at) {
  std::size_t count = 1;
  if (runs[at].count > 1 || at + 1 == runs.size()) return count;
  const std::int64_t step = runs[at + 1].first - runs[at].first;
  while (step > 1 && at + count < runs.size() && runs[at + count].count == 1 &&
         runs[at + count].first - runs[at + count - 1].first == step)
    ++count;
  return count;
}

}  // namespace

// Clusters with most of their iterations in common are the same; then, as long as there are numbers, the others are
// new.
std::vector<std::size_t> ClusterNumbers::align(std::span<const IterationCluster> clusters) {
  std::vector<std::size_t> numbers(clusters.size(), kNoNumber);
  std::vector<bool> is_taken(std::max(kMostNumbers, clusters.size()));
  const std::vector<Overlap> overlaps = find_overlaps(first_, clusters);
  const auto take_over = [&](bool is_any_good) {
    for (const Overlap& overlap : overlaps) {
      if (numbers[overlap.cluster] != kNoNumber || is_taken[overlap.number]) continue;
      const std::uint64_t larger = std::max(count_of(first_[overlap.number]), count_of(clusters[overlap.cluster].runs));
      if (!is_any_good && overlap.iterations * 2 < larger) continue;
      numbers[overlap.cluster] = overlap.number;
      is_taken[overlap.number] = true;
    }
  };
  take_over(false);
  std::size_t left = static_cast<std::size_t>(std::count(numbers.begin(), numbers.end(), kNoNumber));
  if (first_.size() + left > kMostNumbers) take_over(true);
  for (const std::size_t i : in_order_of_time(clusters)) {
    if (numbers[i] != kNoNumber) continue;
    left = first_.size() < kMostNumbers ? first_.size() : 0;
    while (is_taken[left]) ++left;
    if (left == first_.size()) {
      first_.push_back(clusters[i].runs);
      threads_.push_back(0);
      others_.push_back(0);
    }
    numbers[i] = left;
    is_taken[left] = true;
  }
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    ++threads_[numbers[i]];
    others_[numbers[i]] += !are_equal(first_[numbers[i]], clusters[i].runs);
  }
  return numbers;
}

std::string ClusterNumbers::text_of(std::size_t number, std::uint64_t visits) const {
  const std::vector<IterationRun>& runs = first_[number];
  std::string text;
  std::size_t segments = 0;
  for (std::size_t at = 0; at < runs.size() && segments < kMostSegments; ++segments) {
    const std::size_t count = count_even(runs, at);
    const IterationRun& run = runs[at];
    text += (text.empty() ? "" : ",") + std::to_string(run.first);
    if (run.count > 1) text += "-" + std::to_string(end_of(run) - 1);
    if (count > 2) {
      text +=
          "-" + std::to_string(runs[at + count - 1].first) + " by " + std::to_string(runs[at + 1].first - run.first);
      at += count;
    } else {
      ++at;
    }
    if (at < runs.size() && segments + 1 == kMostSegments) text += ",...";
  }
  if (segments == kMostSegments || visits > count_of(runs)) text += " (" + std::to_string(visits) + " in all)";
  if (others_[number] > 0)
    text += "; others in " + std::to_string(others_[number]) + " of " + std::to_string(threads_[number]) + " threads";
  return text;
}

}  // namespace tarry

// imbalance_kind.cpp -- what kind of imbalance the values of all processes are.
#include "findings/imbalance/imbalance_kind.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "findings/imbalance/value_groups.hpp"

namespace tarry {
namespace {

// Shares of the mean. Noise has a deviation of at most 2.5 %: then 95 % of the processes are within 5 %.
constexpr double kNoise = 0.025;
constexpr double kSpreadDeviation = 0.045;  // from here on it is more than noise, if there are many processes
constexpr double kLeastStep = 0.03;         // groups that are closer make no difference: of the mean, ...
constexpr double kLeastPart = 0.04;         // ... and of the distance between the least and the most
constexpr double kLargestMinority = 0.25;
constexpr double kCertain = 0.99;
constexpr std::size_t kFewest = 4;  // processes that have a kind

double square(double x) { return x * x; }

// The separation that values without groups have once in a hundred draws, by the number of processes. It is fitted to
// uniform and normal values; the unit test draws such values again. The most extreme of very many normal values is
// sqrt(2 ln n) deviations away.
double least_separation(std::size_t processes) {
  const double n = static_cast<double>(processes);
  return std::max(4.2 + 48 / (n - 2), 1.2 + std::sqrt(2 * std::log(n)));
}

// Below this, values do not look like groups. What is between the two may be either.
double doubtful_separation(std::size_t processes) {
  return std::min(least_separation(processes), 3.5 + static_cast<double>(processes) / 16);
}

// How probable a separation is that is larger than the least one: its tail falls as that of Student's distribution.
double chance_of(double separation, double least, std::size_t freedom) {
  return std::min(1.0,
                  (1 - kCertain) * std::pow(least / separation, std::min<double>(static_cast<double>(freedom), 30)));
}

// Chance that the deviation of `processes` values is at least `ratio` times the true one, if they are normal
// (chi square, by Wilson and Hilferty).
double chance_of_deviation(double ratio, std::size_t processes) {
  const double freedom = static_cast<double>(processes - 1);
  const double root = std::cbrt(square(ratio));
  const double z = (root - (1 - 2 / (9 * freedom))) / std::sqrt(2 / (9 * freedom));
  return std::erfc(z / std::sqrt(2)) / 2;
}

double median_of(std::span<const double> sorted) {
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

double median_distance(std::span<const double> sorted, double median) {
  std::vector<double> distances;
  for (const double value : sorted) distances.push_back(std::abs(value - median));
  std::ranges::sort(distances);
  return median_of(distances);
}

void add_moments(std::span<const double> sorted, ImbalanceKind& kind) {
  const double n = static_cast<double>(sorted.size());
  kind.least = sorted.front();
  kind.most = sorted.back();
  kind.mean = std::accumulate(sorted.begin(), sorted.end(), 0.0) / n;
  kind.median = median_of(sorted);
  kind.robust_deviation = 1.4826 * median_distance(sorted, kind.median);
  double squares = 0, cubes = 0;
  for (const double value : sorted) {
    squares += square(value - kind.mean);
    cubes += square(value - kind.mean) * (value - kind.mean);
  }
  kind.deviation = n > 1 ? std::sqrt(squares / (n - 1)) : 0;
  kind.skewness = squares > 0 ? cubes / n / std::pow(squares / n, 1.5) : 0;
  if (n > 1 && kind.most > 0) kind.percentage = (kind.most - kind.mean) / kind.most * n / (n - 1);
}

// The group that has nearly all processes; the number of groups if none has.
std::size_t majority_of(const std::vector<ValueRun>& groups, std::size_t processes) {
  std::size_t i = 0;
  while (i < groups.size() &&
         static_cast<double>(processes - groups[i].size) > kLargestMinority * static_cast<double>(processes))
    ++i;
  return i;
}

ImbalanceShape shape_of(const std::vector<ValueRun>& groups, std::size_t processes) {
  const std::size_t majority = majority_of(groups, processes);
  if (majority == 0) return ImbalanceShape::kOverloadedMinority;
  return majority + 1 == groups.size() ? ImbalanceShape::kUnderloadedMinority : ImbalanceShape::kClusters;
}

// Numbers of the processes with values from `least` to `most`.
std::vector<std::size_t> members_between(std::span<const double> values, double least, double most) {
  std::vector<std::size_t> members;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] >= least && values[i] <= most) members.push_back(i);
  return members;
}

// Without groups: noise, or a spread.
void judge_deviation(std::size_t processes, double scale, ImbalanceKind& kind) {
  const double relative = kind.deviation / scale;
  const bool may_have_groups = kind.separation >= doubtful_separation(processes);
  if (relative <= kNoise && !may_have_groups) {
    kind.shape = ImbalanceShape::kBalanced;
    kind.certainty = chance_of_deviation(relative / (2 * kNoise), processes);
    return;
  }
  const double chance = chance_of_deviation(relative / kNoise, processes);
  if (relative < kSpreadDeviation || chance > 1 - kCertain || may_have_groups) return;
  kind.shape = ImbalanceShape::kSpread;
  // Few processes in groups of two or three look like a spread, too.
  kind.certainty = std::min(1 - chance, 1 - 0.15 / static_cast<double>(processes));
}

void judge_groups(std::span<const double> values, std::span<const double> sorted, const std::vector<ValueRun>& groups,
                  ImbalanceKind& kind) {
  kind.shape = shape_of(groups, values.size());
  kind.certainty = 1 - chance_of(kind.separation, least_separation(values.size()), values.size() - groups.size());
  // The majority is the first group or the last one.
  const std::size_t behind_first = groups[1].first, last = groups.back().first;
  if (kind.shape == ImbalanceShape::kClusters) kind.highest = members_between(values, sorted[last], kind.most);
  else if (kind.shape == ImbalanceShape::kOverloadedMinority)
    kind.minority = members_between(values, sorted[behind_first], kind.most);
  else kind.minority = members_between(values, kind.least, sorted[last - 1]);
}

double mean_size(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += std::abs(value);
  return sum / static_cast<double>(values.size());
}

ValueGroup group_of(const ValueRun& run) {
  const double freedom = static_cast<double>(run.size) - 1;
  return {run.size, run.mean(), freedom > 0 ? std::sqrt(run.squares / freedom) : 0};
}

}  // namespace

std::string_view name_of(ImbalanceShape shape) {
  static constexpr std::string_view kNames[] = {
      "balanced", "overloaded_minority", "underloaded_minority", "clusters", "spread", "unclear"};
  return kNames[static_cast<std::size_t>(shape)];
}

ImbalanceKind imbalance_kind(std::span<const double> values) {
  ImbalanceKind kind;
  if (values.empty() || !std::ranges::all_of(values, [](double value) { return std::isfinite(value); })) return kind;
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  add_moments(sorted, kind);
  const double scale = mean_size(sorted);
  if (kind.most - kind.least <= kLeastStep * scale || values.size() < kFewest) {
    kind.groups.push_back({values.size(), kind.mean, kind.deviation});
    if (kind.most - kind.least <= kLeastStep * scale) {
      kind.shape = ImbalanceShape::kBalanced;
      kind.certainty = 1;
    }
    return kind;
  }
  const double least = least_separation(values.size());
  const double step = std::max(kLeastStep * scale, kLeastPart * (kind.most - kind.least));
  const ValueGrouping grouping = group_values(sorted, least, step / least);
  for (const ValueRun& group : grouping.groups) kind.groups.push_back(group_of(group));
  kind.separation = grouping.closest;
  if (grouping.groups.size() > 1) judge_groups(values, sorted, grouping.groups, kind);
  else judge_deviation(values.size(), scale, kind);
  return kind;
}

}  // namespace tarry

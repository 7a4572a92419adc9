// iteration_spread.cpp -- how a value is spread over processes in each iteration, and which iterations stick out.
#include "findings/iterations/iteration_spread.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tarry {
namespace {

constexpr std::size_t kLeastJudged = 5;
constexpr double kFence = 3;         // Tukey's outer fence, in distances between the quartiles
constexpr double kLeastRatio = 1.5;  // to the median: what varies little has narrow quartiles

double quantile(const std::vector<double>& sorted, double fraction) {
  const double position = fraction * static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<std::size_t>(position);
  const std::size_t high = std::min(low + 1, sorted.size() - 1);
  return sorted[low] + (sorted[high] - sorted[low]) * (position - static_cast<double>(low));
}

}  // namespace

Spread spread_over_processes(std::span<const double> values) {
  if (values.empty()) return {};
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  return {sorted.front(),        quantile(sorted, 0.25),
          quantile(sorted, 0.5), quantile(sorted, 0.75),
          sorted.back(),         static_cast<std::size_t>(std::ranges::max_element(values) - values.begin())};
}

std::vector<OutlyingIteration> find_outlying(const IterationSeries& series) {
  if (series.iterations.size() < kLeastJudged || series.ranks.empty()) return {};
  std::vector<double> means;
  for (std::size_t row = 0; row < series.iterations.size(); ++row) {
    const std::vector<double> values = series.mean_row(row);
    means.push_back(std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size()));
  }
  const Spread all = spread_over_processes(means);
  const double fence =
      std::max(all.third_quartile + kFence * (all.third_quartile - all.first_quartile), kLeastRatio * all.median);
  std::vector<OutlyingIteration> found;
  for (std::size_t row = 0; row < means.size(); ++row) {
    if (means[row] <= fence) continue;
    const Spread spread = spread_over_processes(series.mean_row(row));
    found.push_back({row, means[row], all.median, spread.largest, spread.most});
  }
  std::ranges::stable_sort(found, [](const auto& left, const auto& right) { return left.mean > right.mean; });
  return found;
}

}  // namespace tarry

// imbalance_over_time.cpp -- whether the same processes have more than the average in all iterations, or others.
#include "findings/imbalance/imbalance_over_time.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "findings/iterations/iteration_spread.hpp"

namespace tarry {
namespace {

constexpr std::size_t kLeastIterations = 8;
constexpr std::size_t kMostStretches = 8, kLeastInStretch = 3;
constexpr double kLeastOverTime = 0.02;
constexpr double kMostStatic = 0.6, kMostSlow = 0.5, kLittle = 0.3;  // of the variance
constexpr double kMostAlike = 0.5;  // of rankings where others are on top in each iteration
constexpr double kFarOut = 3;       // in distances between the quartiles
constexpr std::size_t kOneLeftOutOf = 20;

using Row = std::vector<double>;

// Ranks of the values, from 0; equal ones share the mean of theirs.
Row ranking(const Row& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
  Row ranks(values.size());
  for (std::size_t i = 0; i < order.size();) {
    std::size_t end = i;
    while (end < order.size() && values[order[end]] == values[order[i]]) ++end;
    for (std::size_t k = i; k < end; ++k) ranks[order[k]] = static_cast<double>(i + end - 1) / 2;
    i = end;
  }
  return ranks;
}

// Rank correlation (Spearman); 0 where all values of one are equal.
double rank_correlation(const Row& left, const Row& right) {
  const double mean = static_cast<double>(left.size() - 1) / 2;
  double both = 0, of_left = 0, of_right = 0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    both += (left[i] - mean) * (right[i] - mean);
    of_left += (left[i] - mean) * (left[i] - mean);
    of_right += (right[i] - mean) * (right[i] - mean);
  }
  return of_left > 0 && of_right > 0 ? both / std::sqrt(of_left * of_right) : 0;
}

class Judgement {
 public:
  explicit Judgement(const IterationSeries& series) {
    for (std::size_t i = 0; i < series.iterations.size(); ++i) {
      Row row = series.mean_row(i);
      const double mean = std::accumulate(row.begin(), row.end(), 0.0) / static_cast<double>(row.size());
      imbalances_.push_back(mean > 0 ? std::ranges::max(row) / mean - 1 : 0);
      for (double& value : row) value -= mean;
      deviations_.push_back(std::move(row));
    }
    leave_out_largest();
    for (const Row& row : deviations_) {
      variance_ += squares_of(row);
      rankings_.push_back(ranking(row));
    }
    found_.imbalance =
        std::accumulate(imbalances_.begin(), imbalances_.end(), 0.0) / static_cast<double>(imbalances_.size());
  }

  ImbalanceOverTime judge() {
    const std::size_t count = deviations_.size();
    if (variance_ > 0) {
      found_.static_fraction = explained_by(1);
      found_.slow_fraction = explained_by(std::clamp(count / kLeastInStretch, std::size_t{1}, kMostStretches));
      found_.neighbour_correlation = mean_correlation(1);
      found_.distant_correlation = mean_correlation(count / 2);
    }
    found_.course = course();
    return found_;
  }

 private:
  static double squares_of(const Row& row) {
    double sum = 0;
    for (const double value : row) sum += value * value;
    return sum;
  }

  // The first iteration, say. Of many like it the verdict must tell.
  void leave_out_largest() {
    Row sizes;
    for (const Row& row : deviations_) sizes.push_back(squares_of(row));
    const Spread spread = spread_over_processes(sizes);
    const double fence = spread.third_quartile + kFarOut * (spread.third_quartile - spread.first_quartile);
    const std::size_t outside =
        static_cast<std::size_t>(std::ranges::count_if(sizes, [fence](double size) { return size > fence; }));
    if (outside == 0 || outside > std::max<std::size_t>(1, sizes.size() / kOneLeftOutOf)) return;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (sizes[i] > fence) continue;
      std::swap(deviations_[kept], deviations_[i]);
      imbalances_[kept++] = imbalances_[i];
    }
    deviations_.resize(kept);
    imbalances_.resize(kept);
    found_.left_out = outside;
  }

  // The part of the variance between the means of processes in so many stretches, beyond what means of noise have.
  double explained_by(std::size_t stretches) const {
    const std::size_t count = deviations_.size(), processes = deviations_.front().size();
    double explained = 0;
    for (std::size_t s = 0; s < stretches; ++s) {
      const std::size_t begin = s * count / stretches, end = (s + 1) * count / stretches;
      for (std::size_t p = 0; p < processes; ++p) {
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i) sum += deviations_[i][p];
        explained += sum * sum / static_cast<double>(end - begin);
      }
    }
    const double by_chance = static_cast<double>(stretches) / static_cast<double>(count);
    return std::max(0.0, (explained / variance_ - by_chance) / (1 - by_chance));
  }

  double mean_correlation(std::size_t distance) const {
    double sum = 0;
    for (std::size_t i = distance; i < rankings_.size(); ++i)
      sum += rank_correlation(rankings_[i - distance], rankings_[i]);
    return sum / static_cast<double>(rankings_.size() - distance);
  }

  TimeCourse course() const {
    if (found_.imbalance < kLeastOverTime) return TimeCourse::kBalanced;
    if (found_.static_fraction >= kMostStatic) return TimeCourse::kStatic;
    const double moving = found_.slow_fraction - found_.static_fraction;
    if (found_.static_fraction < kLittle && found_.slow_fraction >= kMostSlow && moving >= kLittle)
      return TimeCourse::kDrifting;
    const bool changes = found_.slow_fraction < kLittle && found_.neighbour_correlation < kMostAlike;
    return changes ? TimeCourse::kDynamic : TimeCourse::kUnclear;
  }

  std::vector<Row> deviations_, rankings_;
  Row imbalances_;
  double variance_ = 0;
  ImbalanceOverTime found_;
};

}  // namespace

std::string_view name_of(TimeCourse course) {
  switch (course) {
    case TimeCourse::kBalanced: return "balanced";
    case TimeCourse::kStatic: return "static";
    case TimeCourse::kDynamic: return "dynamic";
    case TimeCourse::kDrifting: return "drifting";
    case TimeCourse::kUnclear: break;
  }
  return "unclear";
}

ImbalanceOverTime classify_over_time(const IterationSeries& series) {
  if (series.iterations.size() < kLeastIterations || series.ranks.size() < 2) return {};
  if (!std::ranges::all_of(series.iterations, follow_one_another)) return {};
  return Judgement(series).judge();
}

}  // namespace tarry

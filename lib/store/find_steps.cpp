// find_steps.cpp -- where a series of measurements has moved.
//
// The series is divided where two means explain it best (least squares). Student's test tells whether that is chance.
// As there are many places to look at, the chance counts as many times (Bonferroni). What is left is divided on.
// A rise and a fall hide each other from this, so a piece in the middle that is different is looked for, too.
//
// Repeats of a point may have something in common, as they are measured at one time. Where points differ by more than
// their repeats tell, the noise is that of points (T. Bancroft, 1944: a preliminary test decides on pooling).
#include "store/find_steps.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "store/student.hpp"

namespace tarry {
namespace {

constexpr double kSameSum = 1e-12;           // relative difference of sums of squares that is rounding
constexpr double kNoChange = 1e-9;           // relative difference of means that nobody means
constexpr double kPoolingChance = 0.5;       // of the preliminary test
constexpr double kPlaceIsWithin = 0.99;      // probability
constexpr std::size_t kMostForPairs = 1000;  // points; pairs of them would take too long

// Sums over the values of points, from which those of any range follow.
class SeriesSums {
 public:
  explicit SeriesSums(const std::vector<SeriesPoint>& points) : counts_(1), sums_(1), squares_(1), repeats_(1) {
    double total = 0;
    std::size_t values = 0;
    for (const SeriesPoint& point : points)
      for (const double value : point) {
        total += value;
        ++values;
      }
    // Differences to the mean: squares of large values would drown them.
    shift_ = values > 0 ? total / static_cast<double>(values) : 0;
    for (const SeriesPoint& point : points) {
      double sum = 0, square = 0;
      for (const double value : point) {
        sum += value - shift_;
        square += (value - shift_) * (value - shift_);
      }
      counts_.push_back(counts_.back() + static_cast<double>(point.size()));
      sums_.push_back(sums_.back() + sum);
      squares_.push_back(squares_.back() + square);
      const double mean = sum / static_cast<double>(std::max<std::size_t>(1, point.size()));
      double within = 0;
      for (const double value : point) within += (value - shift_ - mean) * (value - shift_ - mean);
      repeats_.push_back(repeats_.back() + within);
    }
  }

  double count(std::size_t begin, std::size_t end) const { return counts_[end] - counts_[begin]; }
  double sum(std::size_t begin, std::size_t end) const { return sums_[end] - sums_[begin]; }
  double mean(std::size_t begin, std::size_t end) const { return shift_ + sum(begin, end) / count(begin, end); }
  /// Squared differences to the mean of the range.
  double spread(std::size_t begin, std::size_t end) const {
    const double part = sum(begin, end);
    return std::max(0.0, squares_[end] - squares_[begin] - part * part / count(begin, end));
  }
  /// Squared differences of repeats to the means of their points.
  double spread_of_repeats(std::size_t begin, std::size_t end) const { return repeats_[end] - repeats_[begin]; }
  double size() const { return std::abs(shift_); }

 private:
  std::vector<double> counts_, sums_, squares_, repeats_;
  double shift_ = 0;
};

// A range of points in two parts: [begin, from) with [to, end), and [from, to). For a step `to` is `end`.
struct Division {
  std::size_t from = 0, to = 0;
  double explained = 0;  // squares
  double change = 0;     // of the mean
};

// What is left of a range that two means explain.
struct Noise {
  double variance = 0;  // of a value
  double freedom = 0;
};

class StepSearch {
 public:
  explicit StepSearch(const std::vector<SeriesPoint>& points) : points_(points), sums_(points) {}

  std::vector<std::size_t> search() {
    divide(0, points_.size(), 0);
    std::sort(steps_.begin(), steps_.end());
    while (refine()) {
    }
    return steps_;
  }

  SeriesStep step_at(std::size_t i) const {
    const std::size_t at = steps_[i], begin = i == 0 ? 0 : steps_[i - 1];
    const std::size_t end = i + 1 == steps_.size() ? points_.size() : steps_[i + 1];
    SeriesStep step{.point = at, .before = sums_.mean(begin, at), .after = sums_.mean(at, end)};
    const double before = sums_.count(begin, at), after = sums_.count(at, end);
    const Noise noise = noise_of(begin, end, sums_.spread(begin, at) + sums_.spread(at, end));
    step.freedom = noise.freedom;
    step.error = std::sqrt(noise.variance * (1 / before + 1 / after));
    if (noise.freedom > 0)
      step.chance = chance_of(std::abs(step.change()) / step.error, noise.freedom, end - begin - 1);
    set_places(begin, end, noise, step);
    return step;
  }

 private:
  static double chance_of(double t, double freedom, std::size_t places) {
    return std::min(1.0, student_two_sided(t, freedom) * static_cast<double>(places));
  }

  // From the squares that are left of a range.
  Noise noise_of(std::size_t begin, std::size_t end, double left) const {
    const double values = sums_.count(begin, end), points = static_cast<double>(end - begin);
    const Noise pooled{values > 2 ? left / (values - 2) : 0, values - 2};
    if (points < 3 || values - points < 1) return pooled;
    const double within = std::min(left, sums_.spread_of_repeats(begin, end));
    const double of_points = (left - within) / (points - 2), of_repeats = within / (values - points);
    const double chance = fisher_upper(of_points / of_repeats, points - 2, values - points);
    return may_pool_ && chance >= kPoolingChance ? pooled : Noise{of_points, points - 2};
  }

  // The preliminary test for the whole series, between its steps.
  bool may_pool_all() const {
    double within = 0, left = 0;
    for (std::size_t i = 0; i <= steps_.size(); ++i) {
      const std::size_t begin = i == 0 ? 0 : steps_[i - 1], end = i < steps_.size() ? steps_[i] : points_.size();
      if (begin == end) continue;
      within += sums_.spread_of_repeats(begin, end);
      left += sums_.spread(begin, end);
    }
    const double points = static_cast<double>(points_.size()), parts = static_cast<double>(steps_.size()) + 1;
    const double values = points_.empty() ? 0 : sums_.count(0, points_.size());
    if (points - parts < 1 || values - points < 1) return true;
    const double ratio = (left - within) / (points - parts) / (within / (values - points));
    return fisher_upper(ratio, points - parts, values - points) >= kPoolingChance;
  }

  // Places that together hold the step with a high probability, if each was as likely before.
  void set_places(std::size_t begin, std::size_t end, const Noise& noise, SeriesStep& step) const {
    step.earliest = step.latest = step.point;
    if (noise.variance <= 0) return;
    std::vector<std::pair<double, std::size_t>> weights;
    const double best = divided(begin, end, step.point, end).explained;
    double sum = 0;
    for (std::size_t from = begin + 1; from < end; ++from) {
      const double lost = (best - divided(begin, end, from, end).explained) / noise.variance;
      weights.emplace_back(std::pow(1 + std::max(0.0, lost) / noise.freedom, -(noise.freedom + 1) / 2), from);
      sum += weights.back().first;
    }
    std::sort(weights.rbegin(), weights.rend());
    double covered = 0;
    for (const auto& [weight, from] : weights) {
      if (covered >= kPlaceIsWithin * sum) break;
      covered += weight;
      step.earliest = std::min(step.earliest, from);
      step.latest = std::max(step.latest, from);
    }
  }

  Division divided(std::size_t begin, std::size_t end, std::size_t from, std::size_t to) const {
    const double inner = sums_.count(from, to), outer = sums_.count(begin, end) - inner;
    const double inner_mean = sums_.sum(from, to) / inner;
    const double outer_mean = (sums_.sum(begin, from) + sums_.sum(to, end)) / outer;
    const double change = inner_mean - outer_mean;
    return {from, to, change * change * inner * outer / (inner + outer), std::abs(change)};
  }

  // What explains more; of what explains as much, the larger change.
  static bool is_better(const Division& one, const Division& other) {
    if (std::abs(one.explained - other.explained) > kSameSum * other.explained) return one.explained > other.explained;
    return one.change > other.change;
  }

  Division best_step(std::size_t begin, std::size_t end) const {
    Division best;
    for (std::size_t from = begin + 1; from < end; ++from)
      if (const Division one = divided(begin, end, from, end); is_better(one, best)) best = one;
    return best;
  }

  // A piece of one run is an outlier.
  Division best_piece(std::size_t begin, std::size_t end) const {
    Division best;
    if (end - begin > kMostForPairs) return best;
    for (std::size_t from = begin + 1; from < end; ++from)
      for (std::size_t to = from + 1; to < end; ++to) {
        if (sums_.count(from, to) < 2) continue;
        if (const Division one = divided(begin, end, from, to); is_better(one, best)) best = one;
      }
    return best;
  }

  bool is_real(std::size_t begin, std::size_t end, const Division& division, double places) const {
    if (division.to == 0 || sums_.count(begin, end) < 3 || division.change <= kNoChange * sums_.size()) return false;
    const double left = std::max(0.0, sums_.spread(begin, end) - division.explained);
    // Without noise, as with counts, every change is one.
    if (left <= kSameSum * division.explained) return true;
    const Noise noise = noise_of(begin, end, left);
    const double t = std::sqrt(division.explained / noise.variance);
    return student_two_sided(t, noise.freedom) * places < 1 / kSeriesPerFalseStep;
  }

  void divide(std::size_t begin, std::size_t end, int depth) {
    if (end - begin < 2 || depth > 64) return;
    const auto places = static_cast<double>(end - begin - 1);
    if (const Division step = best_step(begin, end); is_real(begin, end, step, places)) {
      steps_.push_back(step.from);
      divide(begin, step.from, depth + 1);
      divide(step.from, end, depth + 1);
      return;
    }
    if (const Division piece = best_piece(begin, end); is_real(begin, end, piece, places * places / 2)) {
      steps_.push_back(piece.from);
      steps_.push_back(piece.to);
      divide(begin, piece.from, depth + 1);
      divide(piece.from, piece.to, depth + 1);
      divide(piece.to, end, depth + 1);
    }
  }

  // Each step again, now that those beside it are known. True if one has moved, or gone.
  bool refine() {
    if (++rounds_ > 20) return false;
    may_pool_ = may_pool_all();
    bool has_changed = false;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const std::size_t begin = i == 0 ? 0 : steps_[i - 1];
      const std::size_t end = i + 1 == steps_.size() ? points_.size() : steps_[i + 1];
      const Division best = best_step(begin, end);
      if (!is_real(begin, end, best, static_cast<double>(end - begin - 1))) {
        steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(i));
        return true;
      }
      has_changed |= best.from != steps_[i];
      steps_[i] = best.from;
    }
    return has_changed;
  }

  const std::vector<SeriesPoint>& points_;
  SeriesSums sums_;
  std::vector<std::size_t> steps_;
  int rounds_ = 0;
  bool may_pool_ = true;  // until all steps are known
};

}  // namespace

double SeriesStep::largest_change() const {
  const double size = std::abs(change());
  return error > 0 && freedom > 0 ? size + student_limit(1 / kSeriesPerFalseStep, freedom) * error : size;
}

std::vector<SeriesStep> find_steps(const std::vector<SeriesPoint>& points) {
  StepSearch search(points);
  const std::vector<std::size_t> places = search.search();
  std::vector<SeriesStep> steps;
  for (std::size_t i = 0; i < places.size(); ++i) steps.push_back(search.step_at(i));
  return steps;
}

}  // namespace tarry

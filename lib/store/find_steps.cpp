// find_steps.cpp -- where a series of measurements has moved.
//
// The series is divided where two means explain it best (least squares). Student's test tells whether that is chance.
// As there are many places to look at, the chance counts as many times (Bonferroni). What is left is divided on.
// A rise and a fall hide each other from this, so a piece in the middle that is different is looked for, too.
#include "store/find_steps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "store/student.hpp"

namespace tarry {
namespace {

constexpr double kSameSum = 1e-12;           // relative difference of sums of squares that is rounding
constexpr double kNoChange = 1e-9;           // relative difference of means that nobody means
constexpr std::size_t kMostForPairs = 1000;  // points; pairs of them would take too long

// Sums over the values of points, from which those of any range follow.
class SeriesSums {
 public:
  explicit SeriesSums(const std::vector<SeriesPoint>& points) : counts_(1), sums_(1), squares_(1) {
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
  double size() const { return std::abs(shift_); }

 private:
  std::vector<double> counts_, sums_, squares_;
  double shift_ = 0;
};

// A range of points in two parts: [begin, from) with [to, end), and [from, to). For a step `to` is `end`.
struct Division {
  std::size_t from = 0, to = 0;
  double explained = 0;  // squares
  double change = 0;     // of the mean
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
    const double before = sums_.count(begin, at), after = sums_.count(at, end), freedom = before + after - 2;
    const double noise = freedom > 0 ? (sums_.spread(begin, at) + sums_.spread(at, end)) / freedom : 0;
    step.error = std::sqrt(noise * (1 / before + 1 / after));
    step.chance = freedom > 0 ? chance_of(std::abs(step.change()) / step.error, freedom, end - begin - 1) : 0;
    return step;
  }

 private:
  static double chance_of(double t, double freedom, std::size_t places) {
    return std::min(1.0, student_two_sided(t, freedom) * static_cast<double>(places));
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
    const double freedom = sums_.count(begin, end) - 2;
    if (division.to == 0 || freedom < 1 || division.change <= kNoChange * sums_.size()) return false;
    const double left = std::max(0.0, sums_.spread(begin, end) - division.explained);
    // Without noise, as with counts, every change is one.
    if (left <= kSameSum * division.explained) return true;
    const double t = std::sqrt(division.explained * freedom / left);
    return student_two_sided(t, freedom) * places < 1 / kSeriesPerFalseStep;
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
};

}  // namespace

std::vector<SeriesStep> find_steps(const std::vector<SeriesPoint>& points) {
  StepSearch search(points);
  const std::vector<std::size_t> places = search.search();
  std::vector<SeriesStep> steps;
  for (std::size_t i = 0; i < places.size(); ++i) steps.push_back(search.step_at(i));
  return steps;
}

}  // namespace tarry

// confidence.cpp -- between which values a model's prediction lies.
#include "scaling/model/confidence.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tarry {
namespace {

constexpr double kNormalQuantile = 1.959963984540054;

// What one model predicts, and its standard error.
struct Prediction {
  double weight = 0, mean = 0, error = 0;
};

std::vector<double> row_of(const ScalingModel& model, bool has_constant, std::span<const double> parameters) {
  std::vector<double> row;
  if (has_constant) row.push_back(1);
  for (const ModelTerm& term : model.terms) row.push_back(term.factor_at(parameters));
  return row;
}

// A normal distribution in place of Student's, as wide where it matters.
double error_of_prediction(double variance, double factor, double freedom) {
  return std::sqrt(variance * factor) * student_quantile(freedom) / kNormalQuantile;
}

double share_below(const std::vector<Prediction>& predictions, double value) {
  double share = 0;
  for (const Prediction& one : predictions) {
    if (one.error > 0) share += one.weight * std::erfc((one.mean - value) / one.error / std::numbers::sqrt2) / 2;
    else if (one.mean <= value) share += one.weight;
  }
  return share;
}

double quantile_of(const std::vector<Prediction>& predictions, double share) {
  double lower = predictions[0].mean, upper = lower;
  for (const Prediction& one : predictions) {
    lower = std::min(lower, one.mean - 10 * one.error);
    upper = std::max(upper, one.mean + 10 * one.error);
  }
  for (int halving = 0; halving < 100; ++halving) {
    const double middle = lower + (upper - lower) / 2;
    (share_below(predictions, middle) < share ? lower : upper) = middle;
  }
  return upper;
}

}  // namespace

// Exact for one and two degrees of freedom; Abramowitz and Stegun, 26.7.5, with an error below 0.2 percent from three
// on.
double student_quantile(double freedom) {
  if (freedom < 1.5) return 12.706204736432095;
  if (freedom < 2.5) return 4.302652729911275;
  const double x = kNormalQuantile, square = x * x;
  const double g1 = (square + 1) * x / 4;
  const double g2 = ((5 * square + 16) * square + 3) * x / 96;
  const double g3 = (((3 * square + 19) * square + 17) * square - 15) * x / 384;
  const double g4 = ((((79 * square + 776) * square + 1482) * square - 1920) * square - 945) * x / 92160;
  return x + (g1 + (g2 + (g3 + g4 / freedom) / freedom) / freedom) / freedom;
}

ConfidenceBand band_of(const EvidenceChoice& choice, std::span<const double> parameters) {
  std::vector<Prediction> predictions;
  double sum = 0;
  for (const SupportedModel& supported : choice.supported) {
    const auto row = row_of(supported.model, supported.has_constant, parameters);
    const double factor = supported.fit.variance_factor(row);
    predictions.push_back({.weight = supported.weight,
                           .mean = supported.model.at(parameters),
                           .error = error_of_prediction(supported.variance, factor, supported.freedom)});
    sum += supported.weight;
  }
  if (predictions.empty()) return {};
  for (Prediction& one : predictions) one.weight /= sum;
  return {.lower = quantile_of(predictions, 0.025), .upper = quantile_of(predictions, 0.975)};
}

std::optional<ConfidenceBand> band_of(const ScalingModel& model, const std::vector<MeasuredPoint>& points,
                                      std::span<const double> parameters) {
  std::vector<std::vector<double>> columns(model.terms.size() + 1);
  std::vector<double> means;
  for (const MeasuredPoint& point : points) {
    const auto row = row_of(model, true, point.at);
    for (std::size_t c = 0; c < row.size(); ++c) columns[c].push_back(row[c]);
    means.push_back(point.mean());
  }
  LinearFitter fitter;
  const std::vector<std::span<const double>> spans(columns.begin(), columns.end());
  const auto fit = fitter.fit(spans, means);
  if (!fit || points.size() <= columns.size()) return std::nullopt;
  const double freedom = static_cast<double>(points.size() - columns.size());
  const double variance = figures_of(model, points).rss / freedom;
  const double factor = fit->variance_factor(row_of(model, true, parameters));
  const double half = std::sqrt(variance * factor) * student_quantile(freedom);
  const double middle = model.at(parameters);
  return ConfidenceBand{.lower = middle - half, .upper = middle + half};
}

}  // namespace tarry

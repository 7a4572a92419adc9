// reference_choice.cpp -- the model that Extra-P's default settings choose.
#include "scaling/model/reference_choice.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "scaling/model/linear_fit.hpp"
#include "scaling/model/term_families.hpp"

namespace tarry {
namespace {

// A constant or a term that contributes less than this to all values counts as nothing.
constexpr double kLeastContribution = 5e-4;
// A line and one point to be left out.
constexpr std::size_t kLeastReferencePoints = 3;

double mean_of_values(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

ReferenceHypothesis constant_hypothesis(std::span<const double> means) {
  ReferenceHypothesis constant{.growth = {}, .constant = mean_of_values(means), .figures = {}};
  for (const double mean : means) {
    constant.figures.rss += (mean - constant.constant) * (mean - constant.constant);
    constant.figures.smape += symmetric_error(constant.constant, mean);
  }
  constant.figures.smape /= static_cast<double>(means.size());
  return constant;
}

// Fits constants and one term, to all points or to all but one.
class OneTermFits {
 public:
  OneTermFits(std::span<const double> at, std::span<const double> means) : at_(at), means_(means) {}

  std::optional<ReferenceHypothesis> evaluate(const Growth& growth) {
    factors_.clear();
    for (const double value : at_) factors_.push_back(growth.at(value));
    ReferenceHypothesis found{.growth = growth, .figures = {}};
    if (!leave_each_out(found.figures)) return std::nullopt;
    const auto fit = fit_without(means_.size());
    if (!fit) return std::nullopt;
    found.constant = fit->coefficients[0];
    found.coefficient = fit->coefficients[1];
    double most = 0;
    for (std::size_t i = 0; i < means_.size(); ++i)
      most = std::max(most, std::abs(found.coefficient * factors_[i] / means_[i]));
    found.counts = most >= kLeastContribution;
    return found;
  }

 private:
  bool leave_each_out(ModelFigures& figures) {
    for (std::size_t left_out = 0; left_out < means_.size(); ++left_out) {
      const auto fit = fit_without(left_out);
      if (!fit) return false;
      double constant = fit->coefficients[0];
      if (std::abs(constant / *std::min_element(fold_means_.begin(), fold_means_.end())) < kLeastContribution)
        constant = 0;
      const double predicted = constant + fit->coefficients[1] * factors_[left_out];
      const double difference = predicted - means_[left_out];
      figures.rss += difference * difference;
      figures.smape += symmetric_error(predicted, means_[left_out]);
    }
    figures.smape /= static_cast<double>(means_.size());
    figures.adjusted_r2 = adjusted_r2(figures.rss, total_squares(means_), means_.size(), 1);
    return true;
  }

  std::optional<LinearFit> fit_without(std::size_t left_out) {
    fold_factors_.clear();
    fold_means_.clear();
    for (std::size_t i = 0; i < means_.size(); ++i) {
      if (i == left_out) continue;
      fold_factors_.push_back(factors_[i]);
      fold_means_.push_back(means_[i]);
    }
    ones_.assign(fold_means_.size(), 1.0);
    const std::span<const double> columns[] = {ones_, fold_factors_};
    return fitter_.fit(columns, fold_means_);
  }

  std::span<const double> at_, means_;
  std::vector<double> factors_, fold_factors_, fold_means_, ones_;
  LinearFitter fitter_;
};

// The first one with the smallest error among those that count.
const ReferenceHypothesis& best_hypothesis(const std::vector<ReferenceHypothesis>& hypotheses) {
  const ReferenceHypothesis* best = &hypotheses[0];
  if (best->figures.rss == 0) return *best;
  for (const ReferenceHypothesis& hypothesis : hypotheses)
    if (hypothesis.counts && hypothesis.figures.smape < best->figures.smape) best = &hypothesis;
  return *best;
}

ScalingModel model_of_hypothesis(const ReferenceHypothesis& hypothesis) {
  ScalingModel model{.constant = hypothesis.constant, .terms = {}, .figures = hypothesis.figures};
  if (!hypothesis.growth.is_constant())
    model.terms.push_back({.coefficient = hypothesis.coefficient, .growths = {hypothesis.growth}});
  return model;
}

// A model whose terms have the growths of each parameter, refitted to all points.
class CombinedFits {
 public:
  CombinedFits(const std::vector<MeasuredPoint>& points, std::vector<Growth> growths)
      : points_(points), growths_(std::move(growths)) {
    for (const MeasuredPoint& point : points) means_.push_back(point.mean());
  }

  std::optional<ScalingModel> fit(const TermFamily& family, std::span<const std::size_t> parameters) {
    ScalingModel model;
    for (const ParameterSet set : family) {
      ModelTerm term{.coefficient = 0, .growths = std::vector<Growth>(growths_.size())};
      for (std::size_t bit = 0; bit < parameters.size(); ++bit)
        if (set >> bit & 1) term.growths[parameters[bit]] = growths_[parameters[bit]];
      model.terms.push_back(std::move(term));
    }
    if (!fit_coefficients(model)) return std::nullopt;
    model.figures = figures_of(model, points_);
    return model;
  }

  bool counts(const ScalingModel& model) const {
    return std::all_of(model.terms.begin(), model.terms.end(), [&](const ModelTerm& term) {
      double most = 0;
      for (std::size_t i = 0; i < points_.size(); ++i)
        most = std::max(most, std::abs(term.coefficient * term.factor_at(points_[i].at) / means_[i]));
      return most >= kLeastContribution;
    });
  }

 private:
  bool fit_coefficients(ScalingModel& model) {
    std::vector<std::vector<double>> columns(1, std::vector<double>(points_.size(), 1.0));
    for (const ModelTerm& term : model.terms) {
      columns.emplace_back();
      for (const MeasuredPoint& point : points_) columns.back().push_back(term.factor_at(point.at));
    }
    const std::vector<std::span<const double>> spans(columns.begin(), columns.end());
    const auto fit = fitter_.fit(spans, means_);
    if (!fit) return false;
    model.constant = fit->coefficients[0];
    for (std::size_t t = 0; t < model.terms.size(); ++t) model.terms[t].coefficient = fit->coefficients[t + 1];
    return true;
  }

  const std::vector<MeasuredPoint>& points_;
  std::vector<Growth> growths_;
  std::vector<double> means_;
  LinearFitter fitter_;
};

ScalingModel constant_of_all(const std::vector<MeasuredPoint>& points) {
  std::vector<double> means;
  for (const MeasuredPoint& point : points) means.push_back(point.mean());
  return model_of_hypothesis(constant_hypothesis(means));
}

// The model of the only parameter that the values depend on, as it is.
ScalingModel line_model(const std::vector<MeasuredPoint>& points, const ReferenceHypothesis& hypothesis,
                        std::size_t parameter) {
  ScalingModel model = model_of_hypothesis(hypothesis);
  std::vector<Growth> growths(points[0].at.size());
  growths[parameter] = hypothesis.growth;
  model.terms[0].growths = std::move(growths);
  model.figures = figures_of(model, points);
  return model;
}

ScalingModel combine(const std::vector<MeasuredPoint>& points, const std::vector<ReferenceHypothesis>& hypotheses) {
  std::vector<std::size_t> parameters;  // that the values depend on
  std::vector<Growth> growths;
  for (const ReferenceHypothesis& hypothesis : hypotheses) {
    if (!hypothesis.growth.is_constant()) parameters.push_back(growths.size());
    growths.push_back(hypothesis.growth);
  }
  if (parameters.empty()) return constant_of_all(points);
  CombinedFits fits(points, growths);
  std::optional<ScalingModel> best;
  // Of a single parameter the model of its line competes with the one that is refitted to all points.
  if (parameters.size() == 1) best = line_model(points, hypotheses[parameters[0]], parameters[0]);
  for (const TermFamily& family : covering_families(parameters.size())) {
    auto model = fits.fit(family, parameters);
    if (model && fits.counts(*model) && (!best || model->figures.smape < best->figures.smape)) best = std::move(model);
  }
  return best ? std::move(*best) : constant_of_all(points);
}

}  // namespace

std::vector<ReferenceHypothesis> reference_hypotheses(std::span<const double> at, std::span<const double> means) {
  std::vector<ReferenceHypothesis> hypotheses = {constant_hypothesis(means)};
  OneTermFits fits(at, means);
  for (const Growth& growth : reference_growths())
    if (auto found = fits.evaluate(growth)) hypotheses.push_back(*found);
  return hypotheses;
}

std::optional<ScalingModel> reference_choice(const std::vector<MeasuredPoint>& points) {
  if (points.empty()) return std::nullopt;
  std::vector<ReferenceHypothesis> chosen;
  for (std::size_t k = 0; k < points[0].at.size(); ++k) {
    const ParameterLine line = longest_line(points, k);
    if (line.at.size() < kLeastReferencePoints) return std::nullopt;
    const auto hypotheses = reference_hypotheses(line.at, line.values);
    const ReferenceHypothesis& best = best_hypothesis(hypotheses);
    if (points[0].at.size() == 1) return model_of_hypothesis(best);
    chosen.push_back(best);
  }
  return combine(points, chosen);
}

}  // namespace tarry

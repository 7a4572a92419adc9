// candidates.cpp -- the fit of one model and its evidence.
#include "scaling/model/candidates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tarry {
namespace {

// Log prior of a negative coefficient: few costs become smaller by what grows, and none is below nothing at the start.
constexpr double kNegativePenalty = -6;
constexpr double kImpossible = -std::numeric_limits<double>::infinity();

}  // namespace

CandidateFits::CandidateFits(const std::vector<MeasuredPoint>& points, const WeightedValues& values)
    : parameters_(points[0].at.size()), values_(values), columns_(parameters_), constants_(values.scales) {
  for (std::size_t k = 0; k < parameters_; ++k) {
    const double largest = largest_of(points, k);
    for (const Growth& growth : all_growths()) {
      std::vector<double> column;
      for (const MeasuredPoint& point : points) column.push_back(growth.at(point.at[k]));
      columns_[k].push_back(std::move(column));
      beyond_[k].push_back(growth.at(4 * largest));
    }
  }
  if (const auto constant = fit({})) constant_remainder_ = constant->remainder + values_.within;
}

std::optional<LinearFit> CandidateFits::fit(const Candidate& candidate) {
  std::array<std::span<const double>, kMostColumns> columns;
  std::size_t count = 0;
  if (candidate.has_constant) columns[count++] = constants_;
  for (std::size_t t = 0; t < candidate.terms; ++t) {
    std::vector<double>& product = products_[t];
    product = values_.scales;
    for (std::size_t k = 0; k < parameters_; ++k) {
      if (candidate.growths[t][k] == kNoGrowth) continue;
      const std::vector<double>& column = columns_[k][candidate.growths[t][k]];
      for (std::size_t i = 0; i < product.size(); ++i) product[i] *= column[i];
    }
    columns[count++] = product;
  }
  return fitter_.fit(std::span(columns).first(count), values_.targets);
}

bool CandidateFits::is_possible(const Candidate& candidate, const LinearFit& fit) const {
  if (!values_.is_nonnegative) return true;
  double beyond = candidate.has_constant ? fit.coefficients[0] : 0;
  for (std::size_t t = 0; t < candidate.terms; ++t) {
    double factor = 1;
    for (std::size_t k = 0; k < parameters_; ++k)
      if (candidate.growths[t][k] != kNoGrowth) factor *= beyond_[k][candidate.growths[t][k]];
    beyond += fit.coefficients[t + candidate.has_constant] * factor;
  }
  return beyond >= 0;
}

// Laplace's approximation with an unknown variance: each coefficient costs half the logarithm of the observations.
double CandidateFits::evidence_of(const Candidate& candidate, const LinearFit& fit) const {
  // A constant at its bound counts as one that was fitted.
  const auto count = static_cast<double>(values_.observations), columns = static_cast<double>(candidate.terms + 1);
  const double gain = constant_remainder_ > 0 ? std::log((fit.remainder + values_.within) / constant_remainder_) : 0;
  return -(count - columns) / 2 * gain - columns / 2 * std::log(count);
}

double CandidateFits::judge_fit(const Candidate& candidate) {
  const auto found = fit(candidate);
  has_negative_constant_ = found && candidate.has_constant && found->coefficients[0] < 0;
  if (!found || !is_possible(candidate, *found)) return kImpossible;
  double evidence = evidence_of(candidate, *found);
  const std::size_t first = values_.is_nonnegative ? 0 : candidate.has_constant;
  for (std::size_t c = first; c < found->columns; ++c)
    if (found->coefficients[c] < 0) evidence += kNegativePenalty;
  return evidence;
}

void CandidateFits::judge(Candidate& candidate, double log_prior) {
  candidate.log_evidence = judge_fit(candidate);
  if (candidate.terms > 0 && candidate.has_constant && values_.is_nonnegative && has_negative_constant_) {
    candidate.has_constant = false;
    const double without = judge_fit(candidate);
    candidate.has_constant = candidate.log_evidence > without;
    candidate.log_evidence = std::max(candidate.log_evidence, without);
  }
  candidate.log_evidence += log_prior;
}

ScalingModel CandidateFits::model(const Candidate& candidate, const LinearFit& fit) const {
  ScalingModel model{.constant = candidate.has_constant ? fit.coefficients[0] : 0, .terms = {}, .figures = {}};
  for (std::size_t t = 0; t < candidate.terms; ++t) {
    ModelTerm term{.coefficient = fit.coefficients[t + candidate.has_constant],
                   .growths = std::vector<Growth>(parameters_)};
    for (std::size_t k = 0; k < parameters_; ++k)
      if (candidate.growths[t][k] != kNoGrowth) term.growths[k] = all_growths()[candidate.growths[t][k]];
    model.terms.push_back(std::move(term));
  }
  return model;
}

}  // namespace tarry

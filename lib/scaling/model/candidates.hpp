// candidates.hpp -- all models that are compared by their evidence.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "scaling/model/linear_fit.hpp"
#include "scaling/model/scaling_model.hpp"
#include "scaling/model/weighted_values.hpp"

namespace tarry {

/// The largest number of terms beside the constant.
inline constexpr std::size_t kMostTerms = kMostColumns - 1;

/// Indices into all_growths() of one term, by parameter; kNoGrowth where it has no such factor.
inline constexpr std::uint8_t kNoGrowth = 0xff;
using TermGrowths = std::array<std::uint8_t, kMostParameters>;

/// One model, fitted.
struct Candidate {
  std::uint8_t terms = 0;
  std::uint8_t structure = 0;  // candidates with the same products of parameters have the same one
  bool has_constant = true;
  std::array<TermGrowths, kMostTerms> growths{};
  double log_evidence = 0;  // with its prior, up to a common summand
};

/// The columns of candidates at the points, and the fits of them.
class CandidateFits {
 public:
  CandidateFits(const std::vector<MeasuredPoint>& points, const WeightedValues& values);

  /// Weighted least squares. Nothing if the points do not determine the coefficients.
  std::optional<LinearFit> fit(const Candidate& candidate);

  /// Sets `log_evidence` to that of a fit. -infinity for a model that contradicts what the values are.
  void judge(Candidate& candidate, double log_prior);

  ScalingModel model(const Candidate& candidate, const LinearFit& fit) const;

  std::size_t parameters() const { return parameters_; }

 private:
  bool is_possible(const Candidate& candidate, const LinearFit& fit) const;
  double evidence_of(const Candidate& candidate, const LinearFit& fit) const;
  double judge_fit(const Candidate& candidate);

  std::size_t parameters_;
  const WeightedValues& values_;
  std::vector<std::vector<std::vector<double>>> columns_;    // [parameter][growth][point]
  std::array<std::vector<double>, kMostParameters> beyond_;  // [parameter][growth] at four times the largest
  std::array<std::vector<double>, kMostTerms> products_;     // of the candidate that is fitted
  std::vector<double> constants_;                            // [point]
  double constant_remainder_ = 0;                            // of the model without terms
  bool has_negative_constant_ = false;                       // the last fit that was judged
  LinearFitter fitter_;
};

/// Every candidate that the points determine and that is possible, the constant first.
std::vector<Candidate> all_candidates(const std::vector<MeasuredPoint>& points, CandidateFits& fits);

}  // namespace tarry

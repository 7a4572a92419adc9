// evidence_choice.hpp -- our own choice of a model: by the evidence of all candidates (docs/MODELS.md).
#pragma once

#include <optional>
#include <vector>

#include "scaling/model/linear_fit.hpp"
#include "scaling/model/scaling_model.hpp"
#include "scaling/model/weighted_values.hpp"

namespace tarry {

/// Fewer different values of a parameter than this determine no model.
inline constexpr std::size_t kLeastPoints = 4;

/// A model that the values support, and how much.
struct SupportedModel {
  ScalingModel model;
  LinearFit fit;        // of the weighted columns: of the constant if there is one, and of the terms
  double weight = 0;    // probability; of all supported models together 1
  double variance = 0;  // of a weighted value
  double freedom = 0;   // degrees of freedom of `variance`
  bool has_constant = true;
};

struct EvidenceChoice {
  ScalingModel model;
  double support = 0;                     // probability of models that grow as this one, within 0.25 of its slope
  std::vector<SupportedModel> supported;  // with nearly all of the probability, the most likely first
};

/// Nothing if the points are too few.
std::optional<EvidenceChoice> evidence_choice(const std::vector<MeasuredPoint>& points);

}  // namespace tarry

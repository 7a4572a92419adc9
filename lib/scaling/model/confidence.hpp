// confidence.hpp -- between which values a model's prediction lies.
#pragma once

#include <optional>
#include <span>

#include "scaling/model/evidence_choice.hpp"

namespace tarry {

/// An interval that holds the mean of many runs with 95 percent probability, if the model is right.
struct ConfidenceBand {
  double lower = 0, upper = 0;
};

/// Of all supported models by their weight: it covers the doubt which one is right, too.
ConfidenceBand band_of(const EvidenceChoice& choice, std::span<const double> parameters);

/// Of one model fitted to the means of the points, each of the same weight. Nothing without a point to spare.
std::optional<ConfidenceBand> band_of(const ScalingModel& model, const std::vector<MeasuredPoint>& points,
                                      std::span<const double> parameters);

/// Student's quantile for 97.5 percent.
double student_quantile(double freedom);

}  // namespace tarry

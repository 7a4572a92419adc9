// reference_choice.hpp -- the model that Extra-P's default settings choose (docs/MODELS.md, "As Extra-P").
#pragma once

#include <optional>
#include <span>

#include "scaling/model/scaling_model.hpp"

namespace tarry {

/// One term of all that are tried for one parameter, as it does when one point after the other is left out.
struct ReferenceHypothesis {
  Growth growth;  // constant: no term
  double constant = 0, coefficient = 0;
  ModelFigures figures;
  bool counts = true;  // the term contributes
};

/// All that are tried, the constant first. Those that the points do not determine are left out.
std::vector<ReferenceHypothesis> reference_hypotheses(std::span<const double> at, std::span<const double> means);

/// Nothing if the points are too few: fewer than three along each parameter.
std::optional<ScalingModel> reference_choice(const std::vector<MeasuredPoint>& points);

}  // namespace tarry

// predict_variants.hpp -- how long a program takes without some of the changes that its plan knows, many at a time.
#pragma once

#include <vector>

#include "prediction/simulation/plan.hpp"

namespace tarry {

/// One machine: `strength` of a change is taken away, 1 for all of it.
struct Variant {
  ChangeIndex change{};
  double strength = 0;
};

/// What each variant takes, in seconds, as Prediction::predicted (or whole_predicted) has it to the last bit. The steps
/// of the plan keep what they take. Several variants go through the plan together. Memory: for each worker
/// some numbers for each message and gate.
std::vector<double> predict_variants(Plan& plan, const std::vector<Variant>& variants, bool is_whole);

}  // namespace tarry

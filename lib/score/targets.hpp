// targets.hpp -- whether the targets of a filter are met, and what forbids it.
#pragma once

#include <string>
#include <vector>

#include "score/score_text.hpp"

namespace tarry {

/// What is said of a new filter, a sentence each. None may be needed, or it has to take effect in the compiler. Or a
/// function keeps a target from being met: which one, and what would be needed.
struct TargetRemarks {
  std::vector<std::string> notes;     // the targets are met
  std::vector<std::string> failures;  // they are not
};

TargetRemarks target_remarks(const ScoreView& view);

}  // namespace tarry

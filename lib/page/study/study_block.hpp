// study_block.hpp -- a scaling study as the page holds it.
#pragma once

#include <string>

#include "base/text/json.hpp"
#include "base/result.hpp"
#include "scaling/scale_options.hpp"

namespace tarry {

/// What a study may have too much of: the page has the largest ones.
inline constexpr std::size_t kMostStudyRows = 100;        // call paths or regions of a metric
inline constexpr std::size_t kMostStudyValues = 100'000;  // of all rows, single values of runs

/// Its speedups, strong and weak, and the models, by call path and by region: what `tarry scale --json` prints, with
/// curves. `options` name the runs. Fails where `tarry scale` does; models that cannot be made are a note.
Result<std::string> study_block(ScaleOptions options);

}  // namespace tarry

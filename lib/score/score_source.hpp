// score_source.hpp -- where tarry score reads: a report, and what its archive knows of the recording.
#pragma once

#include <string>

#include "base/result.hpp"
#include "score/dilation.hpp"
#include "score/score_options.hpp"
#include "score/score_table.hpp"

namespace tarry {

struct ScoreSource {
  std::string report;  // the .cubex file
  ScoreModel model;
};

/// The summary of an archive, or a report; the clock is that of the archive that it lies in. Errors: an archive without
/// a summary, or with facts that no recording has.
Result<ScoreSource> find_score_source(const std::string& input);

/// What recording costs: as the options say, else as measured where the run took place, else as measured here and now.
/// Error: nothing can be measured.
Result<DilationModel> find_dilation_model(const ReportStructure& report, const ScoreOptions& options);

}  // namespace tarry

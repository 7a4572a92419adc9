// write_summary.hpp -- the summary of an archive whose recording is closed.
#pragma once

#include <memory>
#include <string>

#include "base/result.hpp"
#include "report/algebra/cube_source.hpp"
#include "report/metrics/recording_costs.hpp"

namespace tarry {

/// Writes summary.cubex from the profiles of all threads and notes in the manifest that `tool` did. `missing`: what the
/// recording lacks, for readers of the report. `costs`: what recording costs where the run took place, if that is
/// known. Returns the report; null if there are no profiles.
Result<std::unique_ptr<CubeSource>> write_summary(const std::string& archive, const std::string& missing,
                                                  const std::string& tool, const RecordingCosts* costs = nullptr);

}  // namespace tarry

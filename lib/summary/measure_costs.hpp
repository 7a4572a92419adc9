// measure_costs.hpp -- what it costs to record a call on this machine, measured now.
#pragma once

#include "base/result.hpp"
#include "report/metrics/recording_costs.hpp"

namespace tarry {

/// Takes some hundredths of a second: a child loads the recorder and times its entry points. `clock` and `metrics` are
/// the settings of the run (TARRY_CLOCK, TARRY_METRICS), which decide what a call costs. An error if the recorder is
/// not there, or has not answered in time.
Result<RecordingCosts> measure_recording_costs(const std::string& clock, const std::string& metrics);

}  // namespace tarry

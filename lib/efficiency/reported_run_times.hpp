// reported_run_times.hpp -- the times of a run from which its efficiencies follow, from a report on it.
#pragma once

#include "base/result.hpp"
#include "report/tree/report.hpp"
#include "report/metrics/run_times.hpp"

namespace tarry {

/// Without MPI_Init and MPI_Finalize, but with what lies before and behind them: a report does not tell it apart. There
/// is no ideal network in a report. Fails if the report has no metric `time`, or does not know the part.
Result<RunTimes> reported_run_times(const Report& report, const std::string& input, const RunPart& part);

}  // namespace tarry

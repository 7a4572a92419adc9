// predicted_report.hpp -- the trace is read once more, at the predicted times, and analysed as tarry replay does.
#pragma once

#include "prediction/simulation/simulated_times.hpp"
#include "base/result.hpp"
#include "report/tree/report.hpp"
#include "run_outline.hpp"
#include "run_predict.hpp"

namespace tarry {

/// What becomes of the run on the changed machine.
struct PredictedRun {
  RunOutline outline;
  Report report;  // empty unless it was asked for
};

/// The outline of a trace that was read and matched: it loses its locks.
RunOutline outline_traced(Trace& trace);

Result<PredictedRun> analyse_predicted(const PredictOptions& options, const SimulatedTimes& times, unsigned workers,
                                       MemoryBudget* budget, Exchange& exchange);

}  // namespace tarry

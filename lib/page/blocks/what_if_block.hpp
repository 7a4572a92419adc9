// what_if_block.hpp -- what a run would gain if its delays and heaviest regions took less time.
#pragma once

#include <string>

#include "page/runs/traced_run.hpp"

namespace tarry {

/// How many delays, and as many regions, are predicted unless the user says so.
std::size_t usual_rows(const TracedRun& traced);

/// Whether the trace is so short that one need not ask for predictions.
bool are_predictions_quick(const TracedRun& traced);

/// As 'tarry predict --rank-delays --json' writes it; empty if nothing can be predicted. Takes the result of the
/// analysis.
std::string what_if_block(TracedRun& traced, const TraceRequest& request);

}  // namespace tarry

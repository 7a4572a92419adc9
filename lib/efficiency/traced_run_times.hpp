// traced_run_times.hpp -- the times of a traced run from which its efficiencies follow.
#pragma once

#include "prediction/simulation/machine.hpp"
#include "replay/trace.hpp"
#include "report/metrics/run_times.hpp"

namespace tarry {

/// Whether a trace that was read without a selection, but with KeptDetails::main_part, tells the times between MPI_Init
/// and MPI_Finalize. It does not if other threads were there before or behind, or if it has counters.
bool tells_main_part(const Trace& trace);

/// The trace was read with a PartSelection of `part`, or tells_main_part() and that is meant. It has matched messages,
/// and is held by one analysis process.
/// `ideal`: has an ideal network. Fails if nothing happened in the part, or if the trace has several worlds. `input`:
/// the name of the trace, for errors.
Result<RunTimes> traced_run_times(const Trace& trace, const std::string& input, const RunPart& part,
                                  const Machine& ideal);

}  // namespace tarry

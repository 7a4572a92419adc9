// traced_run_times.hpp -- the times of a traced run from which its efficiencies follow.
#pragma once

#include "analysis/simulation/machine.hpp"
#include "replay/trace.hpp"
#include "report/run_times.hpp"

namespace tarry {

/// The trace was read with a PartSelection of `part`, has matched messages, and is held by one analysis process.
/// `ideal`: has an ideal network. Fails if nothing happened in the part, or if the trace has several worlds. `input`:
/// the name of the trace, for errors.
Result<RunTimes> traced_run_times(const Trace& trace, const std::string& input, const RunPart& part,
                                  const Machine& ideal);

}  // namespace tarry

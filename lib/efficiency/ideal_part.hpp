// ideal_part.hpp -- how long a part of a recorded program takes on a changed machine.
#pragma once

#include "prediction/simulation/simulate.hpp"
#include "replay/trace.hpp"

namespace tarry {

/// The time of the process that spends most in what the trace's selector has chosen. Its first thread has the changes
/// of the machine. The trace has matched messages and is held by one analysis process. 0 if processes wait for each
/// other for ever: `outcome`.
Seconds simulated_part(const Trace& trace, const Machine& machine, SimulationOutcome& outcome);

/// The time in which any thread of a process was in it.
Ticks ticks_in_part(const LogicalRank& rank);

}  // namespace tarry

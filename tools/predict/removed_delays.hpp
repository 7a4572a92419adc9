// removed_delays.hpp -- the delays that a prediction leaves out, and what they cost beside what is gained.
#pragma once

#include <string>

#include "prediction/simulation/machine.hpp"
#include "base/result.hpp"
#include "base/units.hpp"
#include "replay/trace.hpp"

namespace tarry {

/// Finds the delays of a machine (Machine::delays) in the trace, for its Machine::removed. Returns a line on each, for
/// people. Nothing is done for a machine without any. Fails if there are fewer, or if one is no part of what counts
/// (`is_whole`: everything does).
Result<std::string> find_removed(const Trace& trace, const std::string& input, bool is_whole, Machine& machine);

/// What a run without the delays gains, as a line: `before` is what it takes with them.
std::string tell_gain(Seconds before, Seconds after);

}  // namespace tarry

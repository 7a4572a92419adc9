// ended_early.hpp -- which processes were killed or left, in words for people.
#pragma once

#include <string>

#include "replay/trace.hpp"

namespace tarry {

/// "rank 2 was killed or left after 5.9 s, without closing its recording; then ranks 0,1,3". Empty if none was. The
/// time is that of the last recorded event, since the start of the trace. Collective over the analysis processes.
std::string tell_early_ends(const Trace& trace);

}  // namespace tarry

// unmatched_messages.hpp -- sends and receives without partner, as faults.
#pragma once

#include "replay/trace.hpp"

namespace tarry {

/// Counts what match_messages() has left without partner, in one of the analysis processes each. A receive that was
/// posted has no end if its request was freed. It may have taken one of the messages to its process: as many unmatched
/// sends are no faults.
void note_unmatched_messages(Trace& trace);

}  // namespace tarry

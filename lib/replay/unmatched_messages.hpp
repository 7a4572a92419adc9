// unmatched_messages.hpp -- sends and receives without partner, as faults.
#pragma once

#include "replay/trace.hpp"

namespace tarry {

/// Counts what match_messages() has left without partner, in one of the analysis processes each. A receive that was
/// posted and is not seen to end (its request was freed) may have taken one of the messages to its process: as many are
/// no faults.
void note_unmatched_messages(Trace& trace);

}  // namespace tarry

// match_messages.hpp -- finds the receive of every send.
#pragma once

#include "replay/trace.hpp"

namespace tarry {

/// Which receive of a channel takes the k-th send.
enum class MatchOrder {
  kPosted,     // the k-th that was posted: what MPI does
  kCompleted,  // the k-th that completed: what the reference analyser does
};

/// Brings copies of messages that cross analysis processes to both sides. Then pairs the sends and receives of each
/// channel (communicator, source, destination, tag) in order. Sets Send::receive and Receive::send on both sides.
/// What stays without partner is counted as a fault (unmatched_messages.hpp). Collective over the analysis processes.
void match_messages(Trace& trace, MatchOrder order);

}  // namespace tarry

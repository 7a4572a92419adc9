// message_counts.hpp -- sums messages and bytes by sender and receiver.
//
// Source: docs/METRICS.md, "Counts and bytes".
#pragma once

#include "replay/trace.hpp"
#include "report/tables/message_matrix.hpp"

namespace tarry {

/// The message matrix of all analysis processes, at process 0; empty elsewhere. Collective.
MessageMatrix count_messages(const Trace& trace);

}  // namespace tarry

// share_marks.hpp -- which messages of processes hosted elsewhere waited there.
#pragma once

#include "analysis/waits/found_waits.hpp"

namespace tarry {

/// Tells the hosts of both ends of each message which of them waited: RankWaits::waiting_sends and waiting_receives,
/// for the copies of messages that match_messages() brought. Collective over the analysis processes.
void share_marks(const Trace& trace, FoundWaits& waits);

}  // namespace tarry

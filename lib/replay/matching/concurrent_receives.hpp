// concurrent_receives.hpp -- the order of receives that several threads of a process post at the same time.
#pragma once

#include <span>
#include <vector>

#include "replay/logical_rank.hpp"

namespace tarry {

/// `receives` of one channel are in the order of posting, `sends` of its peer in that of sending: the k-th takes the
/// k-th. A posting has the time at which its call began, but calls of several threads that overlap may reach MPI in
/// another order. So a receive might end before its message is sent. If another order that such calls permit avoids
/// that for all messages of the channel, `receives` gets this order. Else, and with one thread, it stays as it is.
void settle_concurrent_receives(const LogicalRank& receiver, const LogicalRank& sender,
                                std::span<const SendIndex> sends, std::vector<ReceiveIndex>& receives);

}  // namespace tarry

// completing_calls.cpp -- of the waits in a call that completes many requests only one counts.
//
//   MPI_Waitall  E=====|=========|.....L      a receive, a send, two non-blocking collectives: one wait
//
// A Late Sender comes before a Late Receiver, and both before non-blocking collectives; of these the longest counts,
// the one started first if some are equal.
//
// Needs: the waits of messages and non-blocking collectives. Leaves: CollectiveWait::wait and is_synchronised of the one
// that counts. Source: docs/METRICS.md, "Wait for Collective".
#include "analysis/waits/pattern.hpp"

namespace tarry {
namespace {

void withdraw(CollectiveWait& found) {
  found.wait = 0;
  found.is_synchronised = false;
}

}  // namespace

void completing_calls(const RankContext& context) {
  const LogicalRank& rank = context.rank;
  FlatMap<CallIndex, CollectiveWait*> longest;
  for (const Collective& part : rank.collectives) {
    if (!part.is_nonblocking || !part.call.is_valid() || rank.calls[part.call].call != CallClass::kWaitMany) continue;
    CollectiveWait& found = context.found(part);
    if (!found.is_synchronised) continue;
    CollectiveWait*& known = longest.insert(part.call, nullptr);
    if (context.has_late_sender(part.call) || (known && known->wait >= found.wait)) {
      withdraw(found);
    } else {
      if (known) withdraw(*known);
      known = &found;
    }
  }
  for (const MessageWait<SendIndex>& late : context.waits.late_receivers)
    if (CollectiveWait** found = longest.find(rank.sends[late.message].completion_call); found && *found)
      withdraw(**found);
}

}  // namespace tarry

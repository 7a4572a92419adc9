// completing_calls.cpp -- of the waits in a call that completes many requests only one counts.
//
//   MPI_Waitall  E=====|=========|.....L      a receive, a send, two non-blocking collectives: one wait
//
// A Late Sender comes before a Late Receiver, and both before non-blocking collectives; of these the longest counts,
// the one started first if some are equal.
//
// Needs: the waits of messages and non-blocking collectives. Leaves: Collective::wait and is_synchronised of the one
// that counts. Source: docs/METRICS.md, "Wait for Collective".
#include "analysis/waits/pattern.hpp"

namespace tarry {
namespace {

void withdraw(Collective& part) {
  part.wait = 0;
  part.is_synchronised = false;
}

}  // namespace

void completing_calls(const RankContext& context) {
  LogicalRank& rank = context.rank;
  FlatMap<std::uint32_t, Collective*> longest;  // by call
  const auto waits_with_others = [&](const Collective& part) {
    return part.is_nonblocking && part.is_synchronised && rank.calls[part.call].call == CallClass::kWaitMany;
  };
  for (Collective& part : rank.collectives) {
    if (!waits_with_others(part)) continue;
    Collective*& known = longest.insert(part.call, nullptr);
    if (context.has_late_sender(part.call) || (known && known->wait >= part.wait)) {
      withdraw(part);
    } else {
      if (known) withdraw(*known);
      known = &part;
    }
  }
  for (const MessageWait& late : rank.late_receivers)
    if (Collective** part = longest.find(rank.sends[late.message].completion_call); part && *part) withdraw(**part);
}

}  // namespace tarry

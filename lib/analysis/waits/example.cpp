// example.cpp -- a pattern that finds nothing: the place to start from. Compiled and tested, not in the catalogue.
//
// Show first which process waits for which one, as a picture and as a formula:
//
//   sender                    Es[ MPI_Send ]Ls
//   receiver    Er[ MPI_Recv ========|......]Lr        wait = min(Es, Lr) - Er
//
// then what the pattern reads, what it leaves for later passes, and where it is defined:
//
// Needs: the calls at both ends of each message. Leaves: nothing. Source: docs/ADDING_A_PATTERN.md.
#include <algorithm>

#include "analysis/waits/pattern.hpp"

namespace tarry {
namespace {

// A small function with the formula, so that it can be read beside the picture. Ticks, not seconds: sums of whole
// numbers do not depend on their order, and reports are the same for every number of workers.
Ticks waiting_time(const MpiCall& sending, const MpiCall& receiving) {
  return std::max<Ticks>(0, std::min(sending.enter, receiving.leave()) - receiving.enter);
}

}  // namespace

// Called once for each process, for several processes at the same time: write only to this process's records and
// severities. All messages have been matched. A collective pattern gets a CollectiveInstance instead, with all members.
void example(const RankContext& context) {
  // In order of completion. Patterns must not depend on records of different kinds being in one order.
  for (const Receive& receive : context.rank.receives) {
    // In a damaged trace the send may be missing; it has been counted as a fault.
    if (!receive.is_matched()) continue;
    // The other side: a record of another process, which may live in another analysis process. There only what
    // match_messages brought is known: the matched messages and their calls.
    const MpiCall& sending = context.call_of_rank(context.rank.sender_of(receive), context.sender_side(receive).call);
    const MpiCall& receiving = context.rank.calls[receive.call];
    // Not every call can wait; classes come from region_table.hpp.
    if (receiving.call == CallClass::kTest) continue;
    const Ticks wait = waiting_time(sending, receiving);
    // A real pattern has a metric of its own and adds `wait`. This one adds nothing to a metric that exists.
    context.add(receiving, Metric::kLateSender, 0 * static_cast<double>(wait));
  }
}

}  // namespace tarry

// late_receiver.cpp -- Late Receiver: waiting time of a send whose receive is posted later.
//
//   sender      Ec[ MPI_Send ========|......]Lc        wait = Eq - Ec, if Lc > Eq
//   receiver                   Eq[ MPI_Recv ]
//
// Ec, Lc: the call in which the send completes (MPI_Send, MPI_Ssend, MPI_Wait*). Eq: enter of the call that posts the
// receive. In MPI_Waitall and MPI_Waitsome only the longest counts, and only if the call has no Late Sender.
//
// Needs: enter of the call that posts the receive, enter and leave of the call that completes the send. Leaves:
// RankWaits::late_receivers, the instances that count. Source: docs/METRICS.md, "Late Receiver"; Boehme, section 2.4.
#include <algorithm>

#include "analysis/waits/pattern.hpp"

namespace tarry {
namespace {

bool can_wait_for_receiver(CallClass call) {
  return call == CallClass::kBlockingSend || call == CallClass::kWaitOne || call == CallClass::kWaitMany;
}

Ticks wait_of_send(const RankContext& context, const Send& send) {
  const MpiCall& here = context.rank.calls[send.completion_call];
  if (!can_wait_for_receiver(here.call)) return 0;
  const MpiCall& there = context.call_of_rank(context.rank.receiver_of(send), context.receiver_side(send).request_call);
  return here.leave() > there.enter ? there.enter - here.enter : 0;
}

void book(const RankContext& context, SendIndex message, Ticks wait) {
  const Send& send = context.rank.sends[message];
  const MpiCall& call = context.rank.calls[send.completion_call];
  context.waits.waiting_sends.set(message, context.rank.sends.size());
  context.waits.late_receivers.push_back({message, wait});
  context.add_wait(call, Metric::kLateReceiver, call.enter, wait, context.cause_of(send));
  if (context.counts(call.thread, call.enter))
    context.add(call, send.bytes ? Metric::kLateReceiverComms : Metric::kLateReceiverSyncs, 1);
}

}  // namespace

void late_receiver(const RankContext& context) {
  struct Worst {
    SendIndex send{};
    Ticks wait = 0;
  };
  FlatMap<CallIndex, Worst> worst_of_call;  // of calls that complete many
  const LogicalRank& rank = context.rank;
  for (const SendIndex i : rank.sends.ids()) {
    const Send& send = rank.sends[i];
    if (!send.is_matched() || !send.completion_call.is_valid()) continue;
    const Ticks wait = wait_of_send(context, send);
    if (wait <= 0) continue;
    const MpiCall& call = rank.calls[send.completion_call];
    if (call.call != CallClass::kWaitMany) {
      book(context, i, wait);
    } else if (!context.has_late_sender(send.completion_call)) {
      // Of equal waits the latest send counts.
      Worst& worst = worst_of_call.insert(send.completion_call);
      if (wait >= worst.wait) worst = {i, wait};
    }
  }
  worst_of_call.for_each([&](CallIndex, const Worst& worst) { book(context, worst.send, worst.wait); });
  std::sort(context.waits.late_receivers.begin(), context.waits.late_receivers.end(),
            [](const MessageWait<SendIndex>& a, const MessageWait<SendIndex>& b) { return a.message < b.message; });
}

}  // namespace tarry

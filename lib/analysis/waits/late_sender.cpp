// late_sender.cpp -- Late Sender: waiting time of a receive whose send starts later.
//
//   sender                    Es[ MPI_Send ]Ls
//   receiver    Er[ MPI_Recv ========|......]Lr        wait = min(Es, Lr) - Er
//
// A receive that completes in MPI_Waitall or MPI_Waitsome waits together with others: only the longest of them counts,
// once a call. MPI_Test functions never wait.
//
// Needs: enter of the send call, enter and leave of the call that completes the receive. Leaves:
// RankWaits::late_senders, the instances that count, and late_sender_calls. Source: docs/METRICS.md, "Late
// Sender"; Boehme, section 2.4.
#include <algorithm>

#include "analysis/waits/pattern.hpp"

namespace tarry {
namespace {

Ticks wait_of_receive(const RankContext& context, const Receive& receive) {
  const MpiCall& here = context.rank.calls[receive.call];
  const MpiCall& there = context.call_of_rank(context.rank.sender_of(receive), context.sender_side(receive).call);
  return here.call == CallClass::kTest ? 0 : std::min(there.enter, here.leave()) - here.enter;
}

class LateSenderPass {
 public:
  explicit LateSenderPass(const RankContext& context) : context_(context), wrong_order_(context) {}

  void run() {
    for (const Receive& receive : context_.rank.receives) {
      if (worst_ && worst_->call != receive.call) finish_call();
      if (!receive.is_matched()) continue;
      consider(receive);
      wrong_order_.message_received(receive);
    }
    if (worst_) finish_call();
  }

 private:
  void consider(const Receive& receive) {
    const Ticks wait = wait_of_receive(context_, receive);
    if (wait <= 0) return;
    if (context_.rank.calls[receive.call].call != CallClass::kWaitMany) return book(receive, wait);
    if (!worst_ || wait > worst_wait_) {
      worst_ = &receive;
      worst_wait_ = wait;
    }
  }

  // All receives of a call that completes many have been seen: the longest wait counts for the call.
  void finish_call() {
    book(*worst_, worst_wait_);
    worst_ = nullptr;
  }

  void book(const Receive& receive, Ticks wait) {
    const MpiCall& call = context_.rank.calls[receive.call];
    const ReceiveIndex message(static_cast<std::size_t>(&receive - context_.rank.receives.data()));
    RankWaits& waits = context_.waits;
    waits.waiting_receives.set(message, context_.rank.receives.size());
    waits.late_senders.push_back({message, wait});
    if (call.call == CallClass::kWaitMany) waits.late_sender_calls.set(receive.call, context_.rank.calls.size());
    context_.add_wait(call, Metric::kLateSender, call.enter, wait, context_.cause_of(receive));
    if (context_.counts(call.thread, call.enter))
      context_.add(call, context_.sender_side(receive).bytes ? Metric::kLateSenderComms : Metric::kLateSenderSyncs, 1);
    wrong_order_.late_sender_found(receive, wait);
  }

  const RankContext& context_;
  WrongOrderDetector wrong_order_;
  const Receive* worst_ = nullptr;
  Ticks worst_wait_ = 0;
};

}  // namespace

void late_sender(const RankContext& context) { LateSenderPass(context).run(); }

}  // namespace tarry

// late_sender_polled.cpp -- Late Sender of a receive that the program polls for: with MPI_Test, MPI_Iprobe.
//
//   sender                              Es[ MPI_Send ]
//   receiver    [Test] [Test] [Test] [Test] [Test: received]        wait: the time in Tests until Es
//                ====   ====   ====   ==
//
// The scan has found which polls belong to which call (poll_scan.cpp). Of the receives of one call only the longest
// wait counts. A message that is sent while a call waits for it, behind the polls, was not seen by them.
//
// Needs: enter of the send call, the runs of polls. Leaves: RankWaits::late_polls. Source: docs/METRICS.md, "Polled".
#include "analysis/waits/polled_run.hpp"

namespace tarry {
namespace {

class PolledPass {
 public:
  explicit PolledPass(const RankContext& context) : context_(context), longest_(context.rank.poll_runs.size()) {}

  void run() {
    const LogicalRank& rank = context_.rank;
    for (const ReceiveIndex i : rank.receives.ids()) {
      if (!rank.receives[i].is_matched()) continue;
      consider(i, rank.receives[i].call, false);
      consider(i, rank.receives[i].request_call, true);
    }
    for (const PollRunIndex i : rank.poll_runs.ids())
      if (longest_[i].wait > 0) book(longest_[i]);
  }

 private:
  Ticks sent_at(ReceiveIndex receive) const {
    const Receive& received = context_.rank.receives[receive];
    return context_.call_of_rank(context_.rank.sender_of(received), context_.sender_side(received).call).enter;
  }

  void consider(ReceiveIndex receive, CallIndex call, bool is_probe) {
    const PollRunIndex index = context_.rank.polls_before(call);
    if (!index.is_valid() || context_.rank.poll_runs[index].is_probe != is_probe) return;
    const PolledRun run(context_, index);
    const Ticks sent = sent_at(receive);
    if (run.is_left_before(sent)) return;
    PolledWait wait = run.wait_until(sent);
    wait.receive = receive;
    if (wait.wait > longest_[index].wait) longest_[index] = wait;
  }

  void book(const PolledWait& wait) {
    const LogicalRank& rank = context_.rank;
    const Receive& receive = rank.receives[wait.receive];
    const PolledRun run(context_, wait.run);
    context_.waits.waiting_receives.set(wait.receive, rank.receives.size());
    run.book(wait, context_.cause_of(receive), {Metric::kLateSender, Metric::kLateSenderPolled});
    if (run.counts())
      run.add(context_.sender_side(receive).bytes ? Metric::kLateSenderComms : Metric::kLateSenderSyncs, 1);
  }

  const RankContext& context_;
  Indexed<PollRunIndex, std::vector<PolledWait>> longest_;
};

}  // namespace

void late_sender_polled(const RankContext& context) {
  if (context.compatibility.has_polled_waits() && !context.rank.poll_runs.empty()) PolledPass(context).run();
}

}  // namespace tarry

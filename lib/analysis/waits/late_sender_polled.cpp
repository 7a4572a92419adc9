// late_sender_polled.cpp -- Late Sender of a receive that the program polls for: with MPI_Test, MPI_Iprobe.
//
//   sender                              Es[ MPI_Send ]
//   receiver    [Test] [Test] [Test] [Test] [Test: received]        wait: the time in Tests until Es
//                ====   ====   ====   ==
//
// The scan has found which polls belong to which call (scan_polls.cpp). Of the receives of one call only the longest
// wait counts. A message that is sent while a call waits for it, behind the polls, was not seen by them.
//
// Needs: enter of the send call, the runs of polls. Leaves: RankWaits::late_polls. Source: docs/METRICS.md, "Polled".
#include <algorithm>
#include <optional>

#include "analysis/waits/pattern.hpp"

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
  const MpiCall& call_of(const PollRun& run) const { return context_.rank.calls[run.call]; }

  // The call that ends the run polls itself, if it tests.
  bool has_last_part(const PollRun& run) const {
    return call_of(run).call == CallClass::kTest && call_of(run).path == run.path;
  }

  // Calls visit(begin, end) for what the thread waits until `sent`.
  template <class Visit>
  void for_each_part(const PollRun& run, Ticks sent, Visit visit) const {
    const auto visit_part = [&](Ticks begin, Ticks end) {
      if (begin < std::min(end, sent)) visit(begin, std::min(end, sent));
    };
    for (PollIndex i = run.first; i < run.end; ++i.value)
      visit_part(context_.rank.polls[i].enter, context_.rank.polls[i].end);
    if (has_last_part(run)) visit_part(call_of(run).enter, call_of(run).leave());
  }

  // The wait ends in a poll, in the time behind one, or else in the call that ends the polls.
  void find_end(const PollRun& run, Ticks sent, PolledWait& wait) const {
    wait.last = run.first;
    while (wait.last < run.end && context_.rank.polls[wait.last].end <= sent) ++wait.last.value;
    if (wait.last == run.end) wait.last = PollIndex();
    if (wait.last.is_valid()) wait.in_last = sent - context_.rank.polls[wait.last].enter;
    else if (has_last_part(run)) wait.in_last = std::min(sent, call_of(run).leave()) - call_of(run).enter;
    wait.in_last = std::max<Ticks>(0, wait.in_last);
  }

  Ticks sent_at(ReceiveIndex receive) const {
    const Receive& received = context_.rank.receives[receive];
    return context_.call_of_rank(context_.rank.sender_of(received), context_.sender_side(received).call).enter;
  }

  void consider(ReceiveIndex receive, CallIndex call, bool is_probe) {
    const auto& runs = context_.rank.poll_runs;
    const auto found = std::ranges::lower_bound(runs, call.value, {}, [](const PollRun& of) { return of.call.value; });
    if (found == runs.end() || found->call != call || found->is_probe != is_probe) return;
    const Ticks sent = sent_at(receive);
    if (call_of(*found).call != CallClass::kTest && sent > call_of(*found).enter) return;
    PolledWait wait{.receive = receive, .run = PollRunIndex(static_cast<std::size_t>(found - runs.begin()))};
    find_end(*found, sent, wait);
    for_each_part(*found, sent, [&](Ticks begin, Ticks end) {
      wait.wait += end - begin;
      wait.counted += context_.counted(call_of(*found).thread, begin, end);
    });
    if (wait.wait > longest_[wait.run].wait) longest_[wait.run] = wait;
  }

  void book(const PolledWait& wait) {
    const LogicalRank& rank = context_.rank;
    const PollRun& run = rank.poll_runs[wait.run];
    const Receive& receive = rank.receives[wait.receive];
    context_.waits.waiting_receives.set(wait.receive, rank.receives.size());
    context_.waits.late_polls.push_back(wait);
    MpiCall polls = call_of(run);
    polls.path = run.path;
    for (const Metric metric : {Metric::kLateSender, Metric::kLateSenderPolled}) {
      if (wait.counted > 0) context_.add(polls, metric, static_cast<double>(wait.counted));
      note_instance(metric, wait, run);
    }
    if (context_.counts(polls.thread, polls.enter))
      context_.add(polls, context_.sender_side(receive).bytes ? Metric::kLateSenderComms : Metric::kLateSenderSyncs, 1);
  }

  void note_instance(Metric metric, const PolledWait& wait, const PollRun& run) {
    if (!context_.instances || wait.counted <= 0) return;
    const Ticks enter = context_.rank.polls[run.first].enter;
    context_.instances->add({.metric = metric,
                             .thread = call_of(run).thread,
                             .rank = context_.rank_index(),
                             .path = run.path,
                             .enter = enter,
                             .exit = call_of(run).leave(),
                             .begin = enter,
                             .wait = wait.counted,
                             .full_wait = wait.wait,
                             .cause = context_.cause_of(context_.rank.receives[wait.receive])});
  }

  const RankContext& context_;
  Indexed<PollRunIndex, std::vector<PolledWait>> longest_;
};

}  // namespace

void late_sender_polled(const RankContext& context) {
  if (context.compatibility.has_polled_waits() && !context.rank.poll_runs.empty()) PolledPass(context).run();
}

}  // namespace tarry

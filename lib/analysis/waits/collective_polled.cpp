// collective_polled.cpp -- Wait for Collective of a non-blocking collective that the program polls for, with MPI_Test.
//
//   rank 1                                        S[Ibarrier] ...
//   rank 0   [Ibarrier] [Test] [Test] [Test] [Test] [Test: completed]        wait: the time in Tests until S
//                        ====   ====   ====   ==
//
// dependent_waits() has looked at the time from the first poll on. Here, only what lies in polls remains of it. A run
// of polls has one wait: that of a message, or the longest of its collectives. If some are equal, it is the one that
// was started first.
//
// Needs: waits of non-blocking collectives, the runs of polls. Leaves: RankWaits::late_polls; CollectiveWait::wait and
// is_synchronised of waits in the completing call. Source: docs/METRICS.md, "Polled".
#include "analysis/waits/polled_run.hpp"

namespace tarry {
namespace {

class CollectivePolledPass {
 public:
  explicit CollectivePolledPass(const RankContext& context)
      : context_(context), longest_(context.rank.poll_runs.size()), has_message_(context.rank.poll_runs.size()) {
    for (const PolledWait& late : context.waits.late_polls) has_message_[late.run] = true;
  }

  void run() {
    for (const Collective& part : context_.rank.collectives)
      if (part.is_polled() && context_.found(part).is_synchronised) consider(part);
    for (const PolledWait& wait : longest_)
      if (wait.wait > 0) book(wait);
  }

 private:
  void consider(const Collective& part) {
    CollectiveWait& found = context_.found(part);
    const PollRunIndex index = context_.rank.polls_before(part.call);
    const PolledRun run(context_, index);
    const Ticks started = part.waits_from() + found.wait;
    if (run.is_left_before(started)) {
      found.wait = started - part.begin;
      return;
    }
    found.wait = 0;
    found.is_synchronised = false;
    if (has_message_[index]) return;
    PolledWait wait = run.wait_until(started);
    wait.collective = part.index;
    if (wait.wait > longest_[index].wait) longest_[index] = wait;
  }

  void book(const PolledWait& wait) const {
    const CollectiveWait& found = context_.waits.collectives[wait.collective];
    const WaitCause cause{.rank = context_.trace.index_of(found.cause), .collective = found.cause_index};
    PolledRun(context_, wait.run).book(wait, cause, {Metric::kCollectiveRequestWait, Metric::kCollectiveRequestPolled});
  }

  const RankContext& context_;
  Indexed<PollRunIndex, std::vector<PolledWait>> longest_;
  Indexed<PollRunIndex, std::vector<bool>> has_message_;
};

}  // namespace

void collective_polled(const RankContext& context) {
  if (context.compatibility.has_polled_waits() && !context.rank.poll_runs.empty()) CollectivePolledPass(context).run();
}

}  // namespace tarry

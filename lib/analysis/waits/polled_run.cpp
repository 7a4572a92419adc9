// polled_run.cpp -- the time in a run of polls until what they ask for is there.
//
//   [Test]  [Test]  [Test]  [Test: completed]
//    ====    ====    ==|                            ready: in the third one
//
// Needs: the runs of polls. Source: docs/METRICS.md, "Polled".
#include "analysis/waits/polled_run.hpp"

namespace tarry {

PolledWait PolledRun::wait_until(Ticks ready) const {
  PolledWait wait{.run = index_};
  const auto add_part = [&](Ticks begin, Ticks end) {
    end = std::min(end, ready);
    if (begin >= end) return;
    wait.wait += end - begin;
    wait.counted += context_.counted(call_.thread, begin, end);
  };
  for (PollIndex i = run_.first; i < run_.end; ++i.value)
    add_part(context_.rank.polls[i].enter, context_.rank.polls[i].end);
  if (has_last_part()) add_part(call_.enter, call_.leave());
  find_end(ready, wait);
  return wait;
}

// The wait ends in a poll, in the time behind one, or else in the call that ends the polls.
void PolledRun::find_end(Ticks ready, PolledWait& wait) const {
  wait.last = run_.first;
  while (wait.last < run_.end && context_.rank.polls[wait.last].end <= ready) ++wait.last.value;
  if (wait.last == run_.end) wait.last = PollIndex();
  if (wait.last.is_valid()) wait.in_last = ready - context_.rank.polls[wait.last].enter;
  else if (has_last_part()) wait.in_last = std::min(ready, call_.leave()) - call_.enter;
  wait.in_last = std::max<Ticks>(0, wait.in_last);
}

void PolledRun::book(const PolledWait& wait, const WaitCause& cause, std::initializer_list<Metric> metrics) const {
  context_.waits.late_polls.push_back(wait);
  const Ticks enter = context_.rank.polls[run_.first].enter;
  for (const Metric metric : metrics)
    context_.book_counted({.metric = metric,
                           .thread = call_.thread,
                           .path = run_.path,
                           .enter = enter,
                           .exit = call_.leave(),
                           .begin = enter,
                           .wait = wait.counted,
                           .full_wait = wait.wait,
                           .cause = cause});
}

}  // namespace tarry

// polled_run.hpp -- the polls before a call, and how long the thread waits in them; shared by what is polled for.
#pragma once

#include <algorithm>
#include <initializer_list>

#include "analysis/waits/pattern.hpp"

namespace tarry {

class PolledRun {
 public:
  PolledRun(const RankContext& context, PollRunIndex index)
      : context_(context), index_(index), run_(context.rank.poll_runs[index]), call_(context.rank.calls[run_.call]) {}

  /// Whether the call that ends the run waits itself for what is ready by then: its polls did not see that.
  bool is_left_before(Ticks ready) const { return call_.call != CallClass::kTest && ready > call_.enter; }

  /// The wait for what is ready then. The caller says what that is.
  PolledWait wait_until(Ticks ready) const;

  /// Books a wait of this run, as each of the metrics.
  void book(const PolledWait& wait, const WaitCause& cause, std::initializer_list<Metric> metrics) const;

  /// Adds a value at the call path of the polls.
  void add(Metric metric, double value) const { context_.threads[call_.thread].add(metric, run_.path, value); }

  /// Whether what the call itself does counts.
  bool counts() const { return context_.counts(call_.thread, call_.enter); }

 private:
  // The call that ends the run polls itself, if it tests.
  bool has_last_part() const { return call_.call == CallClass::kTest && call_.path == run_.path; }
  void find_end(Ticks ready, PolledWait& wait) const;

  const RankContext& context_;
  const PollRunIndex index_;
  const PollRun& run_;
  const MpiCall& call_;
};

}  // namespace tarry

// late_launch.cpp -- a queue of an accelerator has nothing to do until a thread gives it work.
//
//   thread             [ computes ]S[ launch ]
//   queue      [ kernel ]X========|....[ kernel ]      wait = S - X
//
// The time before the first work of a queue is no wait.
//
// Needs: LogicalRank::device_calls, LogicalThread::executions. Leaves: RankWaits::devices.
// Source: docs/METRICS.md, "Late Launch".
#include <algorithm>

#include "analysis/waits/pattern.hpp"

namespace tarry {
namespace {

// After the executions until `idle_since`.
void book_late_launch(const RankContext& context, ThreadIndex queue, ExecutionIndex number, Ticks idle_since) {
  const Execution& execution = context.rank.threads[queue].executions[number];
  if (!execution.launch.is_valid()) return;
  const DeviceCall& launch = context.rank.device_calls[execution.launch];
  const Ticks wait = std::min(launch.enter.time, execution.begin) - idle_since;
  if (wait <= 0) return;
  context.waits.devices.push_back({.call = execution.launch,
                                   .queue = queue,
                                   .execution = number,
                                   .is_of_queue = true,
                                   .idle_since = idle_since,
                                   .wait = wait});
  context.book_wait({.metric = Metric::kLateLaunch,
                     .thread = queue,
                     .path = execution.path,
                     .enter = idle_since,
                     .exit = execution.begin,
                     .begin = idle_since,
                     .wait = wait,
                     .full_wait = wait,
                     .cause = {.rank = context.rank_index(), .thread = launch.thread, .path = launch.enter.path}});
}

}  // namespace

void late_launch(const RankContext& context) {
  for (const ThreadIndex t : context.rank.threads.ids()) {
    const auto& executions = context.rank.threads[t].executions;
    Ticks idle_since = 0;
    for (const ExecutionIndex i : executions.ids()) {
      if (i.value > 0) book_late_launch(context, t, i, idle_since);
      idle_since = std::max(idle_since, executions[i].end);
    }
  }
}

}  // namespace tarry

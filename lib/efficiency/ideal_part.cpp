// ideal_part.cpp -- how long a part of a recorded program takes on a changed machine.
#include "efficiency/ideal_part.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "prediction/simulation/plan.hpp"

namespace tarry {
namespace {

bool is_end(const SimStep& step) { return step.kind == StepKind::kLeave || step.kind == StepKind::kAwait; }

// When a recorded moment of a thread comes: in between two steps, time goes on evenly. At the time of several steps,
// calls that are left come before the moment, and those that are entered come behind it.
double simulated_moment(const RankPlan::Steps& steps, Ticks moment) {
  const auto from = [&](Ticks time) {
    return std::partition_point(steps.begin(), steps.end(), [&](const SimStep& step) { return step.recorded < time; });
  };
  auto at = from(moment);
  if (at == steps.end()) return steps.back().time;
  if (at->recorded == moment) {
    while (is_end(*at) && at + 1 != steps.end() && (at + 1)->recorded == moment && is_end(*(at + 1))) ++at;
    return at->time;
  }
  if (at == steps.begin()) return at->time;
  const SimStep& before = *(at - 1);
  const auto all = static_cast<double>(at->recorded - before.recorded);
  return before.time + static_cast<double>(moment - before.recorded) / all * (at->time - before.time);
}

}  // namespace

Seconds simulated_part(const Trace& trace, const Machine& machine, SimulationOutcome& outcome) {
  Plan plan(trace, machine);
  outcome = simulate(plan);
  if (outcome.is_deadlock) return 0;
  double longest = 0;
  for (const RankIndex r : trace.ranks().ids()) {
    const LogicalRank& rank = trace.ranks()[r];
    if (rank.threads.empty() || plan.ranks[r].threads[kMaster].empty() || !rank.threads[kMaster].selected) continue;
    const RankPlan::Steps& steps = plan.ranks[r].threads[kMaster];
    const LogicalThread& master = rank.threads[kMaster];
    auto time = static_cast<double>(ticks_in_part(rank));
    master.selected->for_each_part(master.first_time, master.last_time, [&](Ticks begin, Ticks end) {
      time += simulated_moment(steps, end) - simulated_moment(steps, begin) - static_cast<double>(end - begin);
    });
    longest = std::max(longest, time);
  }
  return trace.seconds(1) * longest;
}

Ticks ticks_in_part(const LogicalRank& rank) {
  std::vector<TimeRanges::Range> ranges;
  for (const LogicalThread& thread : rank.threads)
    if (thread.selected && thread.event_count > 0 && !thread.is_queue)
      thread.selected->for_each_part(thread.first_time, thread.last_time, [&](Ticks begin, Ticks end) {
        ranges.push_back({begin, end});
      });
  const TimeRanges joined(std::move(ranges));
  Ticks sum = 0;
  for (const TimeRanges::Range& range : joined.all()) sum += range.end - range.begin;
  return sum;
}

}  // namespace tarry

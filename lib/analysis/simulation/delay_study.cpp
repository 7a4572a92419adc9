// delay_study.cpp -- the delay analysis of the recorded run, kept for what a prediction asks of it.
#include "analysis/simulation/delay_study.hpp"

#include "analysis/delay/delay_costs.hpp"
#include "analysis/waits/find_waits.hpp"

namespace tarry {

DelayStudy::DelayStudy(const Trace& trace, std::size_t most) : unified_(unify_call_trees(trace)) {
  InstanceCollector collector(most);
  result_.results = Results(trace, unified_.tree.size());
  LockLogs locks = trace.copy_locks();
  {
    const FoundWaits waits = find_waits(trace, locks, {unified_, slots_}, WaitPasses(), compatibility_,
                                        most > 0 ? &collector : nullptr, result_.results);
    sync_ = build_sync_points(trace, waits, std::move(locks), compatibility_);
  }
  groups_ = WaitGroups::find(trace, sync_, unified_, counted_);
  context_.emplace(DelayContext{trace, sync_, unified_, compatibility_, counted_, groups_, slots_});
  instances_ = find_delay_instances(*context_);
  if (most > 0) waits_ = collector.gather(trace.exchange());
}

Instances DelayStudy::take_waits(const Trace& trace) {
  name_delays(*context_, instances_, waits_);
  unify_paths(trace, unified_, waits_);
  return std::move(waits_);
}

AnalysisResult DelayStudy::take_result(const Trace& trace) {
  result_.causes = book_delays(*context_, instances_, result_.results);
  result_.tree = unified_.tree;
  result_.results = gather_results(trace.exchange(), std::move(result_.results));
  return std::move(result_);
}

}  // namespace tarry

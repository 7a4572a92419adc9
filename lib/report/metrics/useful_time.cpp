// useful_time.cpp -- which time is computation to an audit, and which counters tell how it is spent.
#include "report/metrics/useful_time.hpp"

#include <algorithm>
#include <string>

#include "base/text/text.hpp"

namespace tarry {

TimeUse use_of_time(const RegionKind& region) {
  for (Metric metric = metrics_of(region).time; metric != Metric::kNone; metric = info_of(metric).parent) {
    if (metric == Metric::kMpi || metric == Metric::kShmem) return TimeUse::kMpi;
    if (metric == Metric::kOmpTime || metric == Metric::kPthreadTime) return TimeUse::kThreads;
    if (metric == Metric::kAccelerator) return TimeUse::kAccelerators;
  }
  return TimeUse::kUseful;
}

// "perf::INSTRUCTIONS:u" and the like: the component before and the modifiers behind do not matter.
ProcessorEvent processor_event(std::string_view counter) {
  const std::size_t component = counter.rfind("::");
  if (component != counter.npos) counter.remove_prefix(component + 2);
  std::string name = plain_name(counter.substr(0, counter.find(':')));
  std::ranges::replace(name, '-', '_');
  if (is_one_of(name, {"papi_tot_ins", "instructions", "perf_count_hw_instructions", "instruction_retired",
                       "instructions_retired", "inst_retired"}))
    return ProcessorEvent::kInstructions;
  if (is_one_of(name, {"papi_tot_cyc", "cycles", "cpu_cycles", "perf_count_hw_cpu_cycles", "unhalted_core_cycles",
                       "cpu_clk_unhalted", "cycles_not_in_halt"}))
    return ProcessorEvent::kCycles;
  return ProcessorEvent::kNone;
}

}  // namespace tarry

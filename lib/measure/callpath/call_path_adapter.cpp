// call_path_adapter.cpp -- call paths of all threads: opened when they begin, their costs noted at the end.
#include "measure/callpath/call_path_adapter.hpp"

#include <string>

#include "defs/unify.hpp"
#include "measure/callpath/call_path.hpp"
#include "measure/callpath/function_regions.hpp"
#include "measure/core/runtime.hpp"

namespace tarry::measure {
namespace {

void open_call_path(Thread& thread) {
  if (settings().records_call_paths) kCallPath.of(thread) = CallPath::open(thread.frames.own_stack());
}

Ticks close_last_visit(Thread& thread, Ticks time) {
  if (thread.gate.has_coalesced_visit()) close_coalesced_visit(thread);
  return time;
}

void describe_call_path_costs(double ticks_per_second) {
  CallPathCosts all;
  for (const Thread* thread = first_thread(); thread; thread = thread->next)
    if (const CallPath* const path = kCallPath.of(*thread)) all.add(path->costs());
  if (all.stacks == 0) return;
  definitions().add_property(kCallPathStacksKey, std::to_string(all.stacks));
  definitions().add_property(kCallPathsTruncatedKey, std::to_string(all.truncated));
  const double seconds = static_cast<double>(all.ticks) / ticks_per_second;
  definitions().add_property(kCallPathTimeKey, std::to_string(static_cast<std::uint64_t>(seconds * 1e9)));
}

}  // namespace

constinit const Adapter kCallPathAdapter = {
    .started = choose_coalesced_length,
    .thread_has_begun = open_call_path,
    .thread_ends = close_last_visit,
    .ending = name_functions_at_end,
    .describe_costs = describe_call_path_costs,
};

}  // namespace tarry::measure

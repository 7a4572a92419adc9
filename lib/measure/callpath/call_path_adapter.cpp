// call_path_adapter.cpp -- call paths of all threads: opened when they begin, their costs noted at the end.
#include "measure/callpath/call_path_adapter.hpp"

#include <string>
#include <utility>

#include "defs/unify.hpp"
#include "measure/callpath/call_path.hpp"
#include "measure/callpath/function_regions.hpp"
#include "measure/core/runtime.hpp"

namespace tarry::measure {
namespace {

// Of threads that have left, for callers that hold the lock of the threads: their costs, and their memory.
CallPathCosts g_costs_of_ended;
CallPath* g_free_paths = nullptr;

void open_call_path(Thread& thread) {
  if (settings().records_call_paths) kCallPath.of(thread) = CallPath::open(thread.frames.own_stack(), g_free_paths);
}

void free_call_path(Thread& thread) {
  CallPath* const path = std::exchange(kCallPath.of(thread), nullptr);
  if (!path) return;
  g_costs_of_ended.add(path->costs());
  path->join_free(g_free_paths);
}

Ticks close_last_visit(Thread& thread, Ticks time) {
  if (thread.gate.has_coalesced_visit()) close_coalesced_visit(thread);
  if (thread.gate.is_paused()) return time;
  // Where a thread was blocked until the end is known less well than where it was seen last.
  if (const Ticks blocked = blocked_before(thread, time)) {
    close_unwound_frames(thread, time - blocked);
    record_blocked_time(thread, time, blocked);
  }
  return time;
}

void describe_call_path_costs(double ticks_per_second) {
  CallPathCosts all = g_costs_of_ended;
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
    .thread_leaves = free_call_path,
    .ending = name_functions_at_end,
    .describe_costs = describe_call_path_costs,
};

}  // namespace tarry::measure

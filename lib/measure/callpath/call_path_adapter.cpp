// call_path_adapter.cpp -- call paths of all threads: opened when they begin, their costs noted at the end.
#include "measure/callpath/call_path_adapter.hpp"

#include <unistd.h>

#include <string>
#include <utility>

#include "defs/unify.hpp"
#include "measure/callpath/call_path.hpp"
#include "measure/callpath/function_regions.hpp"
#include "measure/callpath/left_out_calls.hpp"
#include "measure/core/runtime.hpp"
#include "measure/core/say.hpp"
#include "measure/processor/processor.hpp"

namespace tarry::measure {
namespace {

// Of threads that have left, for callers that hold the lock of the threads: their costs, and their memory.
CallPathCosts g_costs_of_ended;
CallPath* g_free_paths = nullptr;

// Once for all processes.
void say_what_is_lacking(const ProcessFacts& facts) {
  if (processor::kHasCallPaths || !settings().records_call_paths) return;
  definitions().add_property("without_call_paths", "1");
  if (facts.rank == WorldRank(0))
    say("the recorder does not know how this processor calls functions: there are no call paths and no samples");
}

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
  if (CallPath* const path = kCallPath.of(thread)) path->enter_unseen_function(thread);
  // Where a thread was blocked until the end is known less well than where it was seen last.
  if (const Ticks blocked = blocked_before(thread, time)) {
    close_unwound_frames(thread, time - blocked);
    record_blocked_time(thread, time, blocked);
  }
  return time;
}

// A module is named where it is the end of more than a few of the stacks.
void describe_cut_stacks(const CallPathCosts& all) {
  constexpr std::uint64_t kWorthTelling = 1000;  // one stack of so many
  definitions().add_property(kCallPathsTruncatedKey, std::to_string(all.cuts.all()));
  for (std::size_t why = 0; why < kCutStackReasons; ++why)
    if (const std::uint64_t count = all.cuts.count(static_cast<CutStack>(why)))
      definitions().add_property(kCutStacks[why].key, std::to_string(count));
  const StackCuts::Module worst = all.cuts.worst_module();
  if (worst.count < all.stacks / kWorthTelling || worst.count == 0) return;
  const std::string module = file_of_code(worst.address);
  if (!module.empty())
    definitions().add_property(std::string(kCutInModuleKey) + host_name() + "." + std::to_string(::getpid()),
                               std::to_string(worst.count) + " " + module);
}

void describe_call_path_costs(double ticks_per_second) {
  describe_left_out_calls();
  CallPathCosts all = g_costs_of_ended;
  for (const Thread* thread = first_thread(); thread; thread = thread->next)
    if (const CallPath* const path = kCallPath.of(*thread)) all.add(path->costs());
  if (all.stacks == 0) return;
  definitions().add_property(kCallPathStacksKey, std::to_string(all.stacks));
  describe_cut_stacks(all);
  const double seconds = static_cast<double>(all.ticks) / ticks_per_second;
  definitions().add_property(kCallPathTimeKey, std::to_string(static_cast<std::uint64_t>(seconds * 1e9)));
}

}  // namespace

constinit const Adapter kCallPathAdapter = {
    .starting = say_what_is_lacking,
    .started = choose_coalesced_length,
    .thread_has_begun = open_call_path,
    .thread_ends = close_last_visit,
    .thread_leaves = free_call_path,
    .ending = name_functions_at_end,
    .describe_costs = describe_call_path_costs,
};

}  // namespace tarry::measure

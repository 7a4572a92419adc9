// thread_counters.cpp -- counters of a recording: planned when it starts, and started in each thread.
#include <algorithm>
#include <atomic>
#include <string>
#include <utility>

#include "defs/unify.hpp"
#include "measure/core/runtime.hpp"
#include "measure/core/say.hpp"
#include "measure/metrics/counter_set.hpp"
#include "measure/metrics/followed_heap.hpp"
#include "measure/metrics/metric_plugin.hpp"

namespace tarry::measure {
namespace {

// Never destroyed: threads may start while the process ends.
CounterPlan& counter_plan() {
  static auto* const plan = new CounterPlan;
  return *plan;
}

// One process says what cannot be counted; the definitions of all do.
void define_counters(const ProcessFacts& facts) {
  if (!settings().metrics[0] && !settings().metric_plugins[0]) return;
  CounterPlan& plan = counter_plan() = plan_counters(settings().metrics, settings().metric_plugins);
  for (PlannedCounter& counter : plan.counters)
    counter.definition = definitions().add_counter({.name = counter.name,
                                                    .unit = counter.unit,
                                                    .description = counter.description,
                                                    .mode = counter.mode,
                                                    .source = counter.source});
  follow_heap(plan);
  if (plan.complaints.empty()) return;
  definitions().add_property(kNotCountedKey, plan.complaints);
  if (facts.rank == WorldRank(0)) say(plan.complaints);
}

void complain_once(const std::string& why) {
  static std::atomic<bool> has_complained = false;
  if (!why.empty() && !has_complained.exchange(true)) say("counters of some threads are missing: " + why);
}

void start_step_counters(Thread& thread) {
  std::string why;
  thread.counters = new CounterSet(counter_plan(), why, thread.number == 0);
  complain_once(why);
  thread.profile.use_counters(thread.counters->ids(), thread.counters->levels());
  thread.gate.count();
}

void start_counters(Thread& thread) {
  const auto is_of_step = [](const PlannedCounter& counter) { return !is_of_paths(counter.source, counter.code); };
  if (std::ranges::any_of(counter_plan().counters, is_of_step)) start_step_counters(thread);
  follow_heap_of(thread);
}

// Each plug-in once: its counters are together.
void stop_plugins() {
  const MetricPlugin* latest = nullptr;
  for (const PlannedCounter& counter : counter_plan().counters)
    if (counter.plugin && std::exchange(latest, counter.plugin) != counter.plugin) counter.plugin->stop();
}

void end_counting() {
  end_following_heap();
  stop_plugins();
}

}  // namespace

constinit const Adapter kCounterAdapter = {
    .starting = define_counters,
    .thread_begins = start_counters,
    .needs_ended = has_live_blocks,
    .thread_leaves = end_heap_of,
    .threads_have_ended = end_counting,
    .describe_costs = describe_lost_blocks,
    .left_to_parent = end_following_heap,
};

}  // namespace tarry::measure

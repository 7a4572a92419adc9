// counter_plan.hpp -- which counters this process records, decided once at its start.
//
// Calls: may block.
#pragma once

#include <string>
#include <vector>

#include "measure/metrics/metric_list.hpp"

namespace tarry::measure {

class MetricPlugin;

/// A counter that can be counted here.
struct PlannedCounter {
  std::string name;
  std::string unit;
  std::string description;
  CounterMode mode = CounterMode::kSinceStart;
  CounterSource source = CounterSource::kOther;
  std::uint64_t code = 0;  // of a counter of ours
  int component = 0;       // of PAPI
  MetricPlugin* plugin = nullptr;
  CounterId definition = {};  // its number in the events of this process
};

struct CounterPlan {
  std::vector<PlannedCounter> counters;
  std::string complaints;  // what cannot be counted and why, in one sentence; empty: all can
};

/// Tries everything in the list out, in the calling thread, and starts plug-ins (metric_plugin.hpp). It complains about
/// unknown names, too.
CounterPlan plan_counters(const std::string& list, const std::string& plugins = "");

}  // namespace tarry::measure

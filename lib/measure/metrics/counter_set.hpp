// counter_set.hpp -- the counters of one thread: started, and read at every enter and leave.
//
// Reading costs one system call for all software events of the kernel and one for all fields of getrusage(). PAPI takes
// its own time for each component; the heap costs next to nothing. None of it happens where no counters were asked for:
// see Gate.
//
// Calls: may block.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "measure/core/adapter.hpp"
#include "measure/core/step_counters.hpp"
#include "measure/metrics/counter_plan.hpp"
#include "measure/metrics/heap_counts.hpp"
#include "measure/metrics/software_events.hpp"

namespace tarry::measure {

class MetricPlugin;
class PapiLibrary;

/// Empty if a counter of ours can be counted for the calling thread, else why not.
std::string try_counter(const PlannedCounter& counter);

extern const Adapter kCounterAdapter;

class CounterSet final : public StepCounters {
 public:
  /// Starts to count for the calling thread, which may be the first one of its process. Counters that fail are left
  /// out, and `why` names them.
  CounterSet(const CounterPlan& plan, std::string& why, bool is_first_thread = true);
  ~CounterSet() override;

  void read() override;

 private:
  struct PapiSet {
    int set;
    std::size_t first, count;  // its values
  };

  // Values of a plug-in.
  struct PluginSet {
    MetricPlugin* plugin;
    std::size_t first, count;
    std::int64_t due_ns;
    std::vector<std::uint64_t> at_start;  // empty: there are no values yet
  };

  void add(const CounterPlan& plan, CounterSource source, std::string& why);
  bool start(const CounterPlan& plan, const std::vector<std::size_t>& chosen, std::string& why);
  bool start_papi(const CounterPlan& plan, const std::vector<std::size_t>& chosen, std::string& why);
  void read_software();
  void read_usage();
  void read_heap();
  void read_papi();
  bool is_counted(const PlannedCounter& counter) const;
  void start_plugins(const CounterPlan& plan, const std::vector<std::size_t>& chosen);
  void read_plugin(PluginSet& set);

  std::vector<CounterId> ids_;
  std::vector<std::uint64_t> values_;
  std::vector<std::uint64_t> codes_;
  std::vector<std::uint64_t> at_start_;
  bool levels_[kMaxMetrics] = {};
  SoftwareEvents software_;
  std::size_t software_first_ = 0, software_count_ = 0;
  std::size_t usage_first_ = 0, usage_count_ = 0;
  std::size_t heap_first_ = 0, heap_count_ = 0;
  const HeapCounts* heap_ = nullptr;
  HeapLevels* heap_levels_ = nullptr;
  PapiLibrary* papi_ = nullptr;
  std::vector<PapiSet> papi_sets_;
  std::vector<PluginSet> plugin_sets_;
  const bool is_first_thread_;
};

}  // namespace tarry::measure

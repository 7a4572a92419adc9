// counter_set.cpp -- starting and reading the counters of one thread.
#include "measure/metrics/counter_set.hpp"

#include <dlfcn.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <ctime>

#include "measure/metrics/followed_heap.hpp"
#include "measure/metrics/metric_plugin.hpp"
#include "measure/metrics/papi_library.hpp"

namespace tarry::measure {
namespace {

HeapCountsFunction heap_function() {
  return reinterpret_cast<HeapCountsFunction>(::dlsym(RTLD_DEFAULT, kHeapCountsFunction));
}

std::uint64_t microseconds(const timeval& time) {
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000 + static_cast<std::uint64_t>(time.tv_usec);
}

std::uint64_t usage_of(const rusage& usage, std::uint64_t code) {
  switch (static_cast<UsageField>(code)) {
    case UsageField::kUserTime: return microseconds(usage.ru_utime);
    case UsageField::kSystemTime: return microseconds(usage.ru_stime);
    case UsageField::kMaxResident: return static_cast<std::uint64_t>(usage.ru_maxrss) << 10;
    case UsageField::kMinorFaults: return static_cast<std::uint64_t>(usage.ru_minflt);
    case UsageField::kMajorFaults: return static_cast<std::uint64_t>(usage.ru_majflt);
    case UsageField::kBlocksIn: return static_cast<std::uint64_t>(usage.ru_inblock);
    case UsageField::kBlocksOut: return static_cast<std::uint64_t>(usage.ru_oublock);
    case UsageField::kVoluntarySwitches: return static_cast<std::uint64_t>(usage.ru_nvcsw);
    case UsageField::kInvoluntarySwitches: return static_cast<std::uint64_t>(usage.ru_nivcsw);
  }
  return 0;
}

std::uint64_t level(const std::atomic<std::int64_t>& value) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(value.load(std::memory_order_relaxed), 0));
}

std::uint64_t heap_of(const HeapCounts& counts, const HeapLevels& levels, std::uint64_t code) {
  switch (static_cast<HeapField>(code)) {
    case HeapField::kAllocated: return counts.allocated;
    case HeapField::kFreed: return counts.freed;
    case HeapField::kAllocations: return counts.allocations;
    case HeapField::kInUse: return level(levels.in_use);
    case HeapField::kPeak: return level(levels.peak);
    default: break;  // is of call paths
  }
  return 0;
}

}  // namespace

std::string try_counter(const PlannedCounter& counter) {
  if (counter.source == CounterSource::kSoftware) return SoftwareEvents().open({{counter.code}});
  if (counter.source == CounterSource::kHeap && !heap_function())
    return "the allocator is not watched: start the program by 'tarry measure'";
  if (is_of_paths(counter.source, counter.code)) return try_following_heap();
  return "";
}

CounterSet::CounterSet(const CounterPlan& plan, std::string& why, bool is_first_thread)
    : is_first_thread_(is_first_thread) {
  for (const CounterSource source : {CounterSource::kSoftware, CounterSource::kResourceUsage, CounterSource::kHeap,
                                     CounterSource::kPapi, CounterSource::kOther})
    add(plan, source, why);
  values_.resize(ids_.size());
  at_start_.resize(ids_.size());
  publish(ids_, values_, {levels_, ids_.size()});
  read();
  for (std::size_t i = 0; i < ids_.size(); ++i)
    if (!levels_[i]) at_start_[i] = values_[i];
  for (std::size_t i = 0; i < ids_.size(); ++i) values_[i] -= at_start_[i];
}

CounterSet::~CounterSet() {
  for (const PapiSet& each : papi_sets_) papi_->stop(each.set, each.count);
}

// Those of one source are together; if they cannot be started, none of them is there.
void CounterSet::add(const CounterPlan& plan, CounterSource source, std::string& why) {
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < plan.counters.size(); ++i)
    if (plan.counters[i].source == source && is_counted(plan.counters[i]) &&
        !is_of_paths(source, plan.counters[i].code))
      chosen.push_back(i);
  if (source == CounterSource::kPapi)
    std::stable_sort(chosen.begin(), chosen.end(), [&](std::size_t a, std::size_t b) {
      return plan.counters[a].component < plan.counters[b].component;
    });
  if (chosen.empty() || !start(plan, chosen, why)) return;
  for (const std::size_t i : chosen) {
    const PlannedCounter& counter = plan.counters[i];
    levels_[ids_.size()] = counter.mode != CounterMode::kSinceStart;
    ids_.push_back(counter.definition);
    codes_.push_back(counter.code);
  }
}

bool CounterSet::start(const CounterPlan& plan, const std::vector<std::size_t>& chosen, std::string& why) {
  const std::size_t first = ids_.size();
  switch (plan.counters[chosen.front()].source) {
    case CounterSource::kSoftware: {
      std::vector<std::uint64_t> codes;
      for (const std::size_t i : chosen) codes.push_back(plan.counters[i].code);
      if (const std::string failure = software_.open(codes); !failure.empty()) return why = failure, false;
      software_first_ = first;
      software_count_ = chosen.size();
      return true;
    }
    case CounterSource::kHeap:
      heap_ = heap_function()(&heap_levels_);
      heap_first_ = first;
      heap_count_ = chosen.size();
      return true;
    case CounterSource::kPapi: return start_papi(plan, chosen, why);
    case CounterSource::kOther: return start_plugins(plan, chosen), true;
    default: break;
  }
  usage_first_ = first;
  usage_count_ = chosen.size();
  return true;
}

bool CounterSet::start_papi(const CounterPlan& plan, const std::vector<std::size_t>& chosen, std::string& why) {
  papi_ = PapiLibrary::load(why);
  for (std::size_t at = 0; papi_ && at < chosen.size();) {
    const int component = plan.counters[chosen[at]].component;
    std::vector<std::string> names;
    const std::size_t first = at;
    for (; at < chosen.size() && plan.counters[chosen[at]].component == component; ++at)
      names.push_back(plan.counters[chosen[at]].name);
    std::string reason;
    const int set = papi_->start(names, reason);
    if (set < 0) {
      for (const PapiSet& each : papi_sets_) papi_->stop(each.set, each.count);
      papi_sets_.clear();
      why = "PAPI: " + reason;
      return false;
    }
    papi_sets_.push_back({set, ids_.size() + first, names.size()});
  }
  return papi_;
}

void CounterSet::read() {
  const int error = errno;
  if (software_count_ > 0) read_software();
  if (usage_count_ > 0) read_usage();
  if (heap_count_ > 0) read_heap();
  if (!papi_sets_.empty()) read_papi();
  for (PluginSet& each : plugin_sets_) read_plugin(each);
  errno = error;
}

void CounterSet::read_software() {
  std::uint64_t values[kMaxMetrics];
  if (!software_.read(values)) return;
  for (std::size_t i = 0; i < software_count_; ++i)
    values_[software_first_ + i] = values[i] - at_start_[software_first_ + i];
}

void CounterSet::read_usage() {
  rusage usage;
  if (::getrusage(RUSAGE_THREAD, &usage) != 0) return;
  for (std::size_t i = usage_first_; i < usage_first_ + usage_count_; ++i)
    values_[i] = usage_of(usage, codes_[i]) - at_start_[i];
}

void CounterSet::read_heap() {
  for (std::size_t i = heap_first_; i < heap_first_ + heap_count_; ++i)
    values_[i] = heap_of(*heap_, *heap_levels_, codes_[i]) - at_start_[i];
}

void CounterSet::read_papi() {
  long long values[kMaxMetrics];
  for (const PapiSet& each : papi_sets_) {
    if (!papi_->read(each.set, values)) continue;
    for (std::size_t i = 0; i < each.count; ++i)
      values_[each.first + i] = static_cast<std::uint64_t>(values[i]) - at_start_[each.first + i];
  }
}

bool CounterSet::is_counted(const PlannedCounter& counter) const {
  return !counter.plugin || counter.plugin->is_read_in(is_first_thread_);
}

void CounterSet::start_plugins(const CounterPlan& plan, const std::vector<std::size_t>& chosen) {
  for (std::size_t at = 0; at < chosen.size(); ++at) {
    MetricPlugin* const plugin = plan.counters[chosen[at]].plugin;
    if (plugin_sets_.empty() || plugin_sets_.back().plugin != plugin)
      plugin_sets_.push_back({plugin, ids_.size() + at, 0, 0, {}});
    ++plugin_sets_.back().count;
  }
}

// What is counted goes up only, whatever a plug-in tells.
void CounterSet::read_plugin(PluginSet& set) {
  if (const std::int64_t period = set.plugin->period_ns(); period > 0) {
    timespec time = {};
    ::clock_gettime(CLOCK_MONOTONIC, &time);
    const std::int64_t now_ns = std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
    if (now_ns < set.due_ns) return;
    set.due_ns = now_ns + period;
  }
  unsigned long long values[kMaxMetrics] = {};
  if (!set.plugin->read(values)) return;
  if (set.at_start.empty()) set.at_start.assign(values, values + set.count);
  for (std::size_t i = 0; i < set.count; ++i) {
    std::uint64_t& value = values_[set.first + i];
    if (levels_[set.first + i]) value = values[i];
    else if (values[i] > set.at_start[i]) value = std::max<std::uint64_t>(value, values[i] - set.at_start[i]);
  }
}

}  // namespace tarry::measure

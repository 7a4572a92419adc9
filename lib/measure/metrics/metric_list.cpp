// metric_list.cpp -- the counters that need nothing but the kernel.
#include "measure/metrics/metric_list.hpp"

#include <linux/perf_event.h>

#include <algorithm>

#include "base/tool/closest.hpp"
#include "base/text/text.hpp"

namespace tarry::measure {
namespace {

constexpr auto kCounted = CounterMode::kSinceStart;
constexpr auto kLevel = CounterMode::kAbsolutePoint;
constexpr auto kSoftware = CounterSource::kSoftware;
constexpr auto kUsage = CounterSource::kResourceUsage;
constexpr auto kHeap = CounterSource::kHeap;

constexpr std::uint64_t code(UsageField field) { return static_cast<std::uint64_t>(field); }
constexpr std::uint64_t code(HeapField field) { return static_cast<std::uint64_t>(field); }

constexpr MetricInfo kMetrics[] = {
    {"page-faults", "", "page faults of the thread", kCounted, kSoftware, PERF_COUNT_SW_PAGE_FAULTS},
    {"minor-faults", "", "page faults that needed no reading from a disk", kCounted, kSoftware,
     PERF_COUNT_SW_PAGE_FAULTS_MIN},
    {"major-faults", "", "page faults that did", kCounted, kSoftware, PERF_COUNT_SW_PAGE_FAULTS_MAJ},
    {"context-switches", "", "times the thread was taken off its processor", kCounted, kSoftware,
     PERF_COUNT_SW_CONTEXT_SWITCHES},
    {"cpu-migrations", "", "times the thread was moved to another processor", kCounted, kSoftware,
     PERF_COUNT_SW_CPU_MIGRATIONS},
    {"task-clock", "ns", "time the thread was on a processor", kCounted, kSoftware, PERF_COUNT_SW_TASK_CLOCK},
    {"cpu-clock", "ns", "the same by the processor's clock", kCounted, kSoftware, PERF_COUNT_SW_CPU_CLOCK},
    {"alignment-faults", "", "unaligned accesses that the kernel mended", kCounted, kSoftware,
     PERF_COUNT_SW_ALIGNMENT_FAULTS},
    {"emulation-faults", "", "instructions that the kernel emulated", kCounted, kSoftware,
     PERF_COUNT_SW_EMULATION_FAULTS},
    {"ru_utime", "us", "processor time of the thread in the program", kCounted, kUsage, code(UsageField::kUserTime)},
    {"ru_stime", "us", "processor time of the thread in the kernel", kCounted, kUsage, code(UsageField::kSystemTime)},
    {"ru_maxrss", "bytes", "the most memory the process has had resident so far", kLevel, kUsage,
     code(UsageField::kMaxResident)},
    {"ru_minflt", "", "page faults of the thread that needed no reading from a disk", kCounted, kUsage,
     code(UsageField::kMinorFaults)},
    {"ru_majflt", "", "page faults of the thread that did", kCounted, kUsage, code(UsageField::kMajorFaults)},
    {"ru_inblock", "", "blocks of 512 bytes read from disks for the thread", kCounted, kUsage,
     code(UsageField::kBlocksIn)},
    {"ru_oublock", "", "blocks of 512 bytes to be written to disks for it", kCounted, kUsage,
     code(UsageField::kBlocksOut)},
    {"ru_nvcsw", "", "times the thread gave its processor up", kCounted, kUsage, code(UsageField::kVoluntarySwitches)},
    {"ru_nivcsw", "", "times it was taken away from it", kCounted, kUsage, code(UsageField::kInvoluntarySwitches)},
    {"heap_allocated", "bytes", "bytes that the thread got from malloc and its like", kCounted, kHeap,
     code(HeapField::kAllocated)},
    {"heap_freed", "bytes", "bytes that the thread gave back", kCounted, kHeap, code(HeapField::kFreed)},
    {"heap_allocations", "", "blocks that the thread got", kCounted, kHeap, code(HeapField::kAllocations)},
    {"heap_in_use", "bytes", "bytes that the process has allocated and not freed", kLevel, kHeap,
     code(HeapField::kInUse)},
    {"heap_peak", "bytes", "the most that has been so far", kLevel, kHeap, code(HeapField::kPeak)},
    {"heap_leaked", "bytes", "bytes that were allocated and never freed", kCounted, kHeap, code(HeapField::kLeaked)},
    {"heap_leaked_blocks", "", "blocks that were allocated and never freed", kCounted, kHeap,
     code(HeapField::kLeakedBlocks)},
    {"heap_at_peak", "bytes", "what the process had of it when it had the most", kCounted, kHeap,
     code(HeapField::kAtPeak)},
};

constexpr MetricGroup kGroups[] = {{"software", kSoftware}, {"rusage", kUsage}, {"heap", kHeap}};

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const MetricInfo& info : kMetrics) names.emplace_back(info.name);
  for (const MetricGroup& group : kGroups) names.emplace_back(group.name);
  return names;
}

void choose(std::vector<ChosenMetric>& chosen, const std::string& name, const MetricInfo* info) {
  const auto is_same = [&name](const ChosenMetric& other) { return other.name == name; };
  if (std::none_of(chosen.begin(), chosen.end(), is_same)) chosen.push_back({name, info});
}

/// False if the word is neither a counter nor a group of them.
bool choose_known(std::vector<ChosenMetric>& chosen, const std::string& word) {
  bool is_known = false;
  const auto group =
      std::find_if(std::begin(kGroups), std::end(kGroups), [&](auto& each) { return word == each.name; });
  for (const MetricInfo& info : kMetrics) {
    if (word != info.name && (group == std::end(kGroups) || info.source != group->source)) continue;
    choose(chosen, info.name, &info);
    is_known = true;
  }
  return is_known;
}

}  // namespace

std::span<const MetricInfo> known_metrics() { return kMetrics; }
std::span<const MetricGroup> metric_groups() { return kGroups; }

bool is_papi_name(const std::string& name) { return name.starts_with("PAPI_") || name.find("::") != std::string::npos; }

Result<std::vector<ChosenMetric>> parse_metrics(const std::string& list) {
  std::vector<ChosenMetric> chosen;
  if (list.empty()) return chosen;
  for (const std::string& word : split_list(list)) {
    if (choose_known(chosen, word)) continue;
    if (!is_papi_name(word))
      return Error{"metrics", "'" + word + "' is no counter",
                   "is '" + closest_name(word, all_names()) + "' meant? 'tarry measure --metrics help' lists them"};
    choose(chosen, word, nullptr);
  }
  if (chosen.size() > kMaxMetrics)
    return Error{"metrics", std::to_string(chosen.size()) + " counters are too many",
                 "at most " + std::to_string(kMaxMetrics)};
  return chosen;
}

}  // namespace tarry::measure

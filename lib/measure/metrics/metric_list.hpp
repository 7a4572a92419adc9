// metric_list.hpp -- what --metrics may name: the counters that need nothing but the kernel, and how PAPI's are told
// apart.
//
// The recorder and `tarry measure` share this table.
//
// Calls: may block.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "defs/definitions.hpp"

namespace tarry::measure {

/// More are refused: every enter and leave records all of them.
inline constexpr std::size_t kMaxMetrics = 32;

/// Fields of getrusage().
enum class UsageField : std::uint8_t {
  kUserTime,
  kSystemTime,
  kMaxResident,
  kMinorFaults,
  kMajorFaults,
  kBlocksIn,
  kBlocksOut,
  kVoluntarySwitches,
  kInvoluntarySwitches,
};

/// What is known of the heap. From kLeaked on it is of call paths, and known at the end: only summaries have it.
enum class HeapField : std::uint8_t {
  kAllocated,
  kFreed,
  kAllocations,
  kInUse,
  kPeak,
  kLeaked,
  kLeakedBlocks,
  kAtPeak
};
constexpr bool is_of_paths(HeapField field) { return field >= HeapField::kLeaked; }

/// A counter of ours.
struct MetricInfo {
  const char* name;
  const char* unit;
  const char* description;
  CounterMode mode;
  CounterSource source;
  std::uint64_t code;  // UsageField, HeapField, or PERF_COUNT_SW_*
};

std::span<const MetricInfo> known_metrics();

/// Whether the counter is of call paths, and known at the end only.
constexpr bool is_of_paths(CounterSource source, std::uint64_t code) {
  return source == CounterSource::kHeap && is_of_paths(static_cast<HeapField>(code));
}

/// Names of lists of counters: all that one source has.
struct MetricGroup {
  const char* name;
  CounterSource source;
};
std::span<const MetricGroup> metric_groups();

/// One that was asked for.
struct ChosenMetric {
  std::string name;
  const MetricInfo* info = nullptr;  // nullptr: PAPI shall know it
};

/// A list like "page-faults,ru_utime,PAPI_TOT_INS", groups resolved, each name once. Fails on an unknown
/// name, and on too many.
Result<std::vector<ChosenMetric>> parse_metrics(const std::string& list);

/// True for names of PAPI: presets (PAPI_TOT_CYC) and native events (pmu::EVENT, component:::event).
bool is_papi_name(const std::string& name);

}  // namespace tarry::measure

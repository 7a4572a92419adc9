// metrics.hpp -- every metric of an analysis report: one row each of metrics.def or wait_kinds.def.
#pragma once

#include <cstdint>
#include <span>

namespace tarry {

/// In no order that means anything: catalogue() has the order of reports.
enum class Metric : std::uint16_t {
#define TREE(id, ...) id,
#define METRIC(id, ...) id,
#include "report/metrics/metrics.def"
#define WAIT(id, ...) k##id,
#define COST(id, ...) kDelay##id##All, kDelay##id, kDelay##id##LongTerm,
#include "report/metrics/wait_kinds.def"
  kCount,
  kNone = kCount,
};

inline constexpr std::size_t kMetricCount = static_cast<std::size_t>(Metric::kCount);

/// What must be known of a trace before a metric can be computed, beside the call paths of each thread: bits.
enum MetricNeeds : std::uint8_t {
  kNeedsNothing = 0,
  kNeedsMessages = 1,     // matched
  kNeedsCollectives = 2,  // matched
  kNeedsWindows = 4,      // one-sided operations by their epochs
  kNeedsDelays = 8,       // what causes waits
  kNeedsCriticalPath = 16,
  kNeedsImbalance = 32,  // computation by call path, all threads side by side
};

struct MetricInfo {
  Metric metric = Metric::kNone;
  Metric parent = Metric::kNone;  // kNone: a root
  const char* unique_name = "";
  const char* display_name = "";
  const char* unit = "";         // "sec", "occ", "bytes"
  const char* file = "";         // where it is computed, from the root of the source tree
  const char* description = "";  // one sentence
  std::uint8_t needs = 0;        // bits of MetricNeeds; whoever wants a metric wants its parents, too
};

/// In the order of reports: parents before children, those of wait_kinds.def behind their other siblings.
std::span<const Metric> catalogue();

const MetricInfo& info_of(Metric metric);

/// Place of a metric in catalogue().
std::size_t report_position(Metric metric);

/// For tables that go by the order of reports.
struct InReportOrder {
  bool operator()(Metric a, Metric b) const { return report_position(a) < report_position(b); }
};

}  // namespace tarry

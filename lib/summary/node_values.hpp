// node_values.hpp -- what a call path of one thread adds to each metric of a summary.
//
// Metrics have the names and the meaning of analysis reports. What they need of events the recorder has counted; the
// rest follows from times and visits. Times are in ticks: their sums are exact, so that replay has the same.
#pragma once

#include <bitset>
#include <cstdint>
#include <vector>

#include "archive/reading/contents.hpp"
#include "report/metrics/metrics.hpp"
#include "report/metrics/region_metrics.hpp"
#include "report/tree/report.hpp"

namespace tarry {

/// A metric of a summary: one of the catalogue's, one of those below, or a counter.
using SummaryMetric = std::uint32_t;

constexpr SummaryMetric number_of(Metric metric) { return static_cast<SummaryMetric>(metric); }

/// Metrics that only summaries have.
enum SummaryOnly : SummaryMetric {
  kMinTime = kMetricCount,
  kMaxTime,
  kTraceEvents,
  kTraceBytes,
  kFullTime,  // inclusive; in no report, for what is derived from it
  kFirstCounter,
};

class NodeValues {
 public:
  /// `definitions` must outlive it.
  explicit NodeValues(const Definitions& definitions);

  std::size_t metric_count() const { return kFirstCounter + definitions_.counters.size(); }

  /// In the order of reports.
  std::vector<SummaryMetric> all_metrics() const;

  /// The metric as a report has it, without its parent.
  ReportMetric describe(SummaryMetric metric) const;

  /// Seconds of a tick for times, else 1: values are in these units.
  double unit_of(SummaryMetric metric) const;

  /// Calls visit(metric, value) for each metric that has a value on a call path. `own`: its exclusive time.
  template <class Visit>
  void for_each(const ThreadProfile& profile, std::size_t node, Ticks own, Visit visit) const;

  /// Adds such a value to that of other call paths.
  void add(SummaryMetric metric, double value, double& into) const;

 private:
  using MetricSet = std::vector<Metric>;

  struct RegionSets {
    MetricSet of_time;    // get its exclusive time
    MetricSet of_visits;  // get its visits
  };

  const Definitions& definitions_;
  double seconds_per_tick_ = 1e-9;
  std::vector<RegionSets> regions_;      // by region
  std::vector<MetricSet> of_transfers_;  // by Transfer
};

/// The exclusive time of each call path.
std::vector<Ticks> exclusive_times(const ThreadProfile& profile);

template <class Visit>
void NodeValues::for_each(const ThreadProfile& profile, std::size_t node, Ticks own, Visit visit) const {
  const ProfileNode& values = profile.nodes[node];
  const RegionSets& region = regions_[values.region];
  const auto put = [&](SummaryMetric metric, std::uint64_t value) {
    if (value != 0) visit(metric, static_cast<double>(value));
  };
  const auto put_time = [&](SummaryMetric metric, Ticks ticks) {
    if (ticks != 0) visit(metric, static_cast<double>(ticks));
  };
  const auto others = static_cast<Ticks>(values.transfers[Transfer::kForkTime] + values.transfers[Transfer::kJoinTime] +
                                         values.transfers[Transfer::kBlockedTime]);
  for (const Metric metric : region.of_time)
    put_time(number_of(metric), metric == Metric::kComputation ? own - others : own);
  for (const Metric metric : region.of_visits) put(number_of(metric), values.visits);
  for (std::size_t what = 0; what < kTransferCount; ++what)
    for (const Metric metric : of_transfers_[what])
      put(number_of(metric), values.transfers[static_cast<Transfer>(what)]);
  put(kTraceEvents, values.trace_events);
  put(kTraceBytes, values.trace_bytes);
  put_time(kFullTime, values.time);
  if (values.visits > 0) {
    visit(kMinTime, static_cast<double>(values.min_time));
    visit(kMaxTime, static_cast<double>(values.max_time));
  }
  for (std::size_t i = 0; i < profile.counters.size(); ++i) {
    const std::uint64_t bits = profile.counter_values[node * profile.counters.size() + i];
    const std::uint32_t counter = profile.counters[i];
    if (bits != 0) visit(kFirstCounter + counter, counter_value(definitions_.counters[counter].type, bits));
  }
}

}  // namespace tarry

// node_values.cpp -- the metrics of a summary.
#include "summary/node_values.hpp"

#include <algorithm>
#include <string_view>

#include "report/metrics/counter_metric.hpp"

namespace tarry {
namespace {

struct SummaryOnlyInfo {
  const char* name;
  const char* display_name;
  const char* unit;
  ValueType type;
  const char* description;
};

constexpr SummaryOnlyInfo kSummaryOnly[] = {
    {"min_time", "Minimum Inclusive Time", "sec", ValueType::kMinDouble, "shortest visit, calls included"},
    {"max_time", "Maximum Inclusive Time", "sec", ValueType::kMaxDouble, "longest visit, calls included"},
    {"trace_events", "Trace Events", "occ", ValueType::kUint64, "events that a trace of this run holds"},
    {"trace_bytes", "Trace Size", "bytes", ValueType::kUint64, "what these events take in memory"},
    {"", "", "sec", ValueType::kDouble, ""},  // kFullTime
};

// In the order of Transfer; times have more than one.
constexpr Metric kOfTransfer[kTransferCount] = {Metric::kSyncsSend,
                                                Metric::kCommsSend,
                                                Metric::kSyncsReceive,
                                                Metric::kCommsReceive,
                                                Metric::kSyncsCollective,
                                                Metric::kCommsExchange,
                                                Metric::kCommsSource,
                                                Metric::kCommsDestination,
                                                Metric::kBytesSent,
                                                Metric::kBytesReceived,
                                                Metric::kBytesOut,
                                                Metric::kBytesIn,
                                                Metric::kBytesPut,
                                                Metric::kBytesGet,
                                                Metric::kIoBytesRead,
                                                Metric::kIoBytesWritten,
                                                Metric::kNone,
                                                Metric::kNone,
                                                Metric::kIoOperations,
                                                Metric::kNone};

void add_with_parents(Metric metric, std::vector<Metric>& metrics) {
  for (; metric != Metric::kNone; metric = info_of(metric).parent)
    if (std::ranges::find(metrics, metric) == metrics.end()) metrics.push_back(metric);
}

ReportMetric catalogue_metric(const MetricInfo& info) {
  ReportMetric metric;
  metric.unique_name = info.unique_name;
  metric.display_name = info.display_name;
  metric.unit = info.unit;
  metric.description = info.description;
  metric.kind = MetricKind::kExclusive;
  metric.type = metric.unit == "sec" ? ValueType::kDouble : ValueType::kUint64;
  return metric;
}

}  // namespace

NodeValues::NodeValues(const Definitions& definitions) : definitions_(definitions), of_transfers_(kTransferCount) {
  if (definitions.clock.ticks_per_second > 0) seconds_per_tick_ = 1 / definitions.clock.ticks_per_second;
  for (const Region& region : definitions.regions) {
    const RegionMetrics facts =
        metrics_of({region.paradigm, region.role, definitions.text(region.name), definitions.text(region.file)});
    RegionSets& sets = regions_.emplace_back();
    add_with_parents(facts.time, sets.of_time);
    sets.of_visits.push_back(Metric::kVisits);
    for (const Metric count : facts.counts) add_with_parents(count, sets.of_visits);
  }
  for (std::size_t what = 0; what < kTransferCount; ++what) add_with_parents(kOfTransfer[what], of_transfers_[what]);
  // Their time is part of the region's, so that what is above OpenMP has it already.
  of_transfers_[static_cast<std::size_t>(Transfer::kForkTime)] = {Metric::kOmpFork, Metric::kOmpManagement,
                                                                  Metric::kOmpTime};
  of_transfers_[static_cast<std::size_t>(Transfer::kJoinTime)] = {Metric::kOmpManagement, Metric::kOmpTime};
  of_transfers_[static_cast<std::size_t>(Transfer::kBlockedTime)] = {Metric::kBlocked};
}

std::vector<SummaryMetric> NodeValues::all_metrics() const {
  std::vector<SummaryMetric> all;
  for (const Metric metric : catalogue()) all.push_back(number_of(metric));
  for (SummaryMetric metric = kMetricCount; metric < metric_count(); ++metric)
    if (metric != kFullTime) all.push_back(metric);
  return all;
}

ReportMetric NodeValues::describe(SummaryMetric metric) const {
  if (metric >= kFirstCounter) return counter_metric(definitions_, definitions_.counters[metric - kFirstCounter]);
  if (metric < kMetricCount) return catalogue_metric(info_of(static_cast<Metric>(metric)));
  const SummaryOnlyInfo& info = kSummaryOnly[metric - kMetricCount];
  ReportMetric described;
  described.unique_name = info.name;
  described.display_name = info.display_name;
  described.unit = info.unit;
  described.description = info.description;
  described.kind = MetricKind::kExclusive;
  described.type = info.type;
  return described;
}

double NodeValues::unit_of(SummaryMetric metric) const {
  const bool is_time = metric < kMetricCount ? std::string_view(info_of(static_cast<Metric>(metric)).unit) == "sec"
                                             : metric == kMinTime || metric == kMaxTime || metric == kFullTime;
  return is_time ? seconds_per_tick_ : 1;
}

void NodeValues::add(SummaryMetric metric, double value, double& into) const {
  if (metric >= kFirstCounter) return add_counter_value(definitions_.counters[metric - kFirstCounter], value, into);
  if (metric == kMinTime) into = std::min(into, value);
  else if (metric == kMaxTime) into = std::max(into, value);
  else into += value;
}

std::vector<Ticks> exclusive_times(const ThreadProfile& profile) {
  std::vector<Ticks> times(profile.nodes.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    times[i] += profile.nodes[i].time;
    if (profile.nodes[i].parent != ProfileNode::kNoParent) times[profile.nodes[i].parent] -= profile.nodes[i].time;
  }
  return times;
}

}  // namespace tarry

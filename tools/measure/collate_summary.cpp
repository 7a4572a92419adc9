// collate_summary.cpp -- the call-path summaries of all threads become one report.
#include "collate_summary.hpp"

#include <map>
#include <utility>

#include "report/structure_of.hpp"

namespace tarry {
namespace {

class SummaryMaker {
 public:
  explicit SummaryMaker(const Definitions& definitions) {
    report_.structure = structure_of(definitions);
    report_.structure.attributes.push_back({"Creator", "tarry-measure " TARRY_VERSION});
    if (definitions.clock.ticks_per_second > 0) seconds_per_tick_ = 1 / definitions.clock.ticks_per_second;
    visits_ = add("visits", "Visits", "occ", MetricKind::kExclusive, ValueType::kUint64,
                  "times a call path was entered");
    time_ = add("time", "Time", "sec", MetricKind::kInclusive, ValueType::kDouble, "wall-clock time, calls included");
    min_time_ = add("min_time", "Minimum Inclusive Time", "sec", MetricKind::kExclusive, ValueType::kMinDouble,
                    "shortest visit, calls included");
    max_time_ = add("max_time", "Maximum Inclusive Time", "sec", MetricKind::kExclusive, ValueType::kMaxDouble,
                    "longest visit, calls included");
    sent_ = add("bytes_sent", "Bytes Sent", "bytes", MetricKind::kExclusive, ValueType::kUint64,
                "bytes given to communication");
    received_ = add("bytes_received", "Bytes Received", "bytes", MetricKind::kExclusive, ValueType::kUint64,
                    "bytes got from communication");
    events_ = add("trace_events", "Trace Events", "occ", MetricKind::kExclusive, ValueType::kUint64,
                  "events that a trace of this run holds");
    trace_bytes_ = add("trace_bytes", "Trace Size", "bytes", MetricKind::kExclusive, ValueType::kUint64,
                       "what these events take in memory");
  }

  void add_thread(const ThreadProfile& profile) {
    std::vector<CallPathId> paths;
    for (const ProfileNode& node : profile.nodes) {
      const CallPathId parent = node.parent == ProfileNode::kNoParent ? CallPathId() : paths[node.parent];
      paths.push_back(child(parent, node.region));
      add_values(profile.location.value, paths.back(), node);
    }
  }

  Report take() { return std::move(report_); }

 private:
  MetricId add(const char* name, const char* display_name, const char* unit, MetricKind kind, ValueType type,
               const char* description) {
    ReportMetric metric;
    metric.unique_name = name;
    metric.display_name = display_name;
    metric.unit = unit;
    metric.description = description;
    metric.kind = kind;
    metric.type = type;
    return report_.add_metric(std::move(metric));
  }

  CallPathId child(CallPathId parent, std::uint32_t region) {
    const auto [entry, is_new] =
        known_.try_emplace({parent.value, region}, CallPathId(report_.structure.call_paths.size()));
    if (is_new) {
      ReportCallPath path;
      path.region = region;
      path.parent = parent;
      report_.structure.call_paths.push_back(std::move(path));
    }
    return entry->second;
  }

  void add_values(std::uint32_t location, CallPathId path, const ProfileNode& node) {
    report_.row(visits_, path)[location] += static_cast<double>(node.visits);
    report_.row(time_, path)[location] += static_cast<double>(node.time) * seconds_per_tick_;
    if (node.visits > 0) {
      double& least = report_.row(min_time_, path)[location];
      double& most = report_.row(max_time_, path)[location];
      least = std::min(least, static_cast<double>(node.min_time) * seconds_per_tick_);
      most = std::max(most, static_cast<double>(node.max_time) * seconds_per_tick_);
    }
    if (node.bytes_sent) report_.row(sent_, path)[location] += static_cast<double>(node.bytes_sent);
    report_.row(events_, path)[location] += static_cast<double>(node.trace_events);
    report_.row(trace_bytes_, path)[location] += static_cast<double>(node.trace_bytes);
    if (node.bytes_received) report_.row(received_, path)[location] += static_cast<double>(node.bytes_received);
  }

  Report report_;
  double seconds_per_tick_ = 1e-9;
  MetricId visits_, time_, min_time_, max_time_, sent_, received_, events_, trace_bytes_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, CallPathId> known_;  // (parent, region)
};

}  // namespace

Report collate_summary(const Definitions& definitions, const std::vector<ThreadProfile>& profiles) {
  SummaryMaker maker(definitions);
  for (const ThreadProfile& profile : profiles) maker.add_thread(profile);
  return maker.take();
}

}  // namespace tarry

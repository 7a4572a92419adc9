// collate_summary.cpp -- the call-path summaries of all threads become one report.
#include "collate_summary.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "align_clusters.hpp"
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
    read_ = add("io_bytes_read", "Bytes Read", "bytes", MetricKind::kExclusive, ValueType::kUint64,
                "bytes read from files by MPI");
    written_ = add("io_bytes_written", "Bytes Written", "bytes", MetricKind::kExclusive, ValueType::kUint64,
                   "bytes written to files by MPI");
    events_ = add("trace_events", "Trace Events", "occ", MetricKind::kExclusive, ValueType::kUint64,
                  "events that a trace of this run holds");
    trace_bytes_ = add("trace_bytes", "Trace Size", "bytes", MetricKind::kExclusive, ValueType::kUint64,
                       "what these events take in memory");
  }

  void add_thread(const ThreadProfile& profile) {
    std::vector<CallPathId> paths;
    std::map<Loop, std::vector<IterationCluster>> loops;
    for (const IterationCluster& cluster : profile.clusters) {
      const ProfileNode& node = profile.nodes[cluster.node];
      loops[{node.parent, node.region}].push_back(cluster);
    }
    std::map<std::uint32_t, std::uint32_t> cluster_regions;  // by node
    for (std::uint32_t i = 0; i < profile.nodes.size(); ++i) {
      const ProfileNode& node = profile.nodes[i];
      const CallPathId parent = node.parent == ProfileNode::kNoParent ? CallPathId() : paths[node.parent];
      if (const auto loop = loops.find({node.parent, node.region}); loop != loops.end()) {
        name_clusters(profile, loop->second, {parent.value, node.region}, cluster_regions);
        loops.erase(loop);
      }
      const auto cluster = cluster_regions.find(i);
      paths.push_back(child(parent, cluster == cluster_regions.end() ? node.region : cluster->second));
      add_values(profile.location.value, paths.back(), node);
    }
  }

  Report take() {
    describe_clusters();
    return std::move(report_);
  }

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

  using Loop = std::pair<std::uint32_t, std::uint32_t>;  // call path (or node) around it, region of its iterations

  struct LoopOfReport {
    ClusterNumbers numbers;
    std::vector<std::uint64_t> visits;  // by number: in the first thread
  };

  // All clusters of a loop in one thread get their regions when the first of them is met.
  void name_clusters(const ThreadProfile& profile, const std::vector<IterationCluster>& clusters, Loop place,
                     std::map<std::uint32_t, std::uint32_t>& regions) {
    LoopOfReport& loop = loops_[place];
    const std::vector<std::size_t> numbers = loop.numbers.align(clusters);
    const std::size_t known = loop.visits.size();
    loop.visits.resize(loop.numbers.count());
    for (std::size_t i = 0; i < clusters.size(); ++i) {
      if (numbers[i] >= known) loop.visits[numbers[i]] = profile.nodes[clusters[i].node].visits;
      regions[clusters[i].node] = region_of_cluster(place.second, numbers[i]);
    }
  }

  // "step=..." becomes "step=cluster 1".
  std::uint32_t region_of_cluster(std::uint32_t region, std::size_t number) {
    const auto [entry, is_new] = cluster_regions_.try_emplace(
        {region, number}, static_cast<std::uint32_t>(report_.structure.regions.size()));
    if (is_new) {
      ReportRegion cluster = report_.structure.regions[region];
      cluster.name = cluster.name.substr(0, cluster.name.rfind('=')) + "=cluster " + std::to_string(number + 1);
      cluster.mangled_name = cluster.name;
      report_.structure.regions.push_back(std::move(cluster));
    }
    return entry->second;
  }

  // A loop that is called from several places has its clusters at each of them.
  void describe_clusters() {
    for (const auto& [loop, facts] : loops_)
      for (std::size_t number = 0; number < facts.numbers.count(); ++number) {
        std::string& text = report_.structure.regions[cluster_regions_.at({loop.second, number})].description;
        text += (text.empty() ? "iterations " : "; elsewhere ") + facts.numbers.text_of(number, facts.visits[number]);
      }
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
    if (node.bytes_read) report_.row(read_, path)[location] += static_cast<double>(node.bytes_read);
    if (node.bytes_written) report_.row(written_, path)[location] += static_cast<double>(node.bytes_written);
    report_.row(events_, path)[location] += static_cast<double>(node.trace_events);
    report_.row(trace_bytes_, path)[location] += static_cast<double>(node.trace_bytes);
    if (node.bytes_received) report_.row(received_, path)[location] += static_cast<double>(node.bytes_received);
  }

  Report report_;
  double seconds_per_tick_ = 1e-9;
  MetricId visits_, time_, min_time_, max_time_, sent_, received_, read_, written_, events_, trace_bytes_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, CallPathId> known_;  // (parent, region)
  std::map<Loop, LoopOfReport> loops_;
  std::map<std::pair<std::uint32_t, std::size_t>, std::uint32_t> cluster_regions_;  // (region of the loop, number)
};

}  // namespace

Report collate_summary(const Definitions& definitions, const std::vector<ThreadProfile>& profiles) {
  SummaryMaker maker(definitions);
  for (const ThreadProfile& profile : profiles) maker.add_thread(profile);
  return maker.take();
}

}  // namespace tarry

// collate_summary.cpp -- the call-path summaries of all threads become one report.
#include "summary/collate_summary.hpp"

#include <algorithm>

#include "summary/align_clusters.hpp"
#include "report/counter_metric.hpp"
#include "report/structure_of.hpp"

namespace tarry {
namespace {

struct SummaryMetric {
  const char* name;
  const char* display_name;
  const char* unit;
  MetricKind kind;
  ValueType type;
  const char* description;
};

enum SummaryMetrics : std::uint32_t {
  kVisits,
  kTime,
  kMinTime,
  kMaxTime,
  kBytesSent,
  kBytesReceived,
  kBytesRead,
  kBytesWritten,
  kTraceEvents,
  kTraceBytes,
  kMetricCount,
};

constexpr SummaryMetric kMetrics[kMetricCount] = {
    {"visits", "Visits", "occ", MetricKind::kExclusive, ValueType::kUint64, "times a call path was entered"},
    {"time", "Time", "sec", MetricKind::kInclusive, ValueType::kDouble, "wall-clock time, calls included"},
    {"min_time", "Minimum Inclusive Time", "sec", MetricKind::kExclusive, ValueType::kMinDouble,
     "shortest visit, calls included"},
    {"max_time", "Maximum Inclusive Time", "sec", MetricKind::kExclusive, ValueType::kMaxDouble,
     "longest visit, calls included"},
    {"bytes_sent", "Bytes Sent", "bytes", MetricKind::kExclusive, ValueType::kUint64, "bytes given to communication"},
    {"bytes_received", "Bytes Received", "bytes", MetricKind::kExclusive, ValueType::kUint64,
     "bytes got from communication"},
    {"io_bytes_read", "Bytes Read", "bytes", MetricKind::kExclusive, ValueType::kUint64,
     "bytes read from files by MPI"},
    {"io_bytes_written", "Bytes Written", "bytes", MetricKind::kExclusive, ValueType::kUint64,
     "bytes written to files by MPI"},
    {"trace_events", "Trace Events", "occ", MetricKind::kExclusive, ValueType::kUint64,
     "events that a trace of this run holds"},
    {"trace_bytes", "Trace Size", "bytes", MetricKind::kExclusive, ValueType::kUint64,
     "what these events take in memory"},
};

// Whether a node has values of a metric: a row of zeros need not be kept.
bool has_value(std::uint32_t metric, const ProfileNode& node) {
  switch (metric) {
    case kVisits:
    case kMinTime:
    case kMaxTime: return node.visits > 0;
    case kTime: return node.time != 0;
    case kBytesSent: return node.bytes_sent > 0;
    case kBytesReceived: return node.bytes_received > 0;
    case kBytesRead: return node.bytes_read > 0;
    case kBytesWritten: return node.bytes_written > 0;
    case kTraceEvents: return node.trace_events > 0;
    default: return node.trace_bytes > 0;
  }
}

void add_value(std::uint32_t metric, const ProfileNode& node, double seconds_per_tick, double& value) {
  switch (metric) {
    case kVisits: value += static_cast<double>(node.visits); break;
    case kTime: value += static_cast<double>(node.time) * seconds_per_tick; break;
    case kMinTime: value = std::min(value, static_cast<double>(node.min_time) * seconds_per_tick); break;
    case kMaxTime: value = std::max(value, static_cast<double>(node.max_time) * seconds_per_tick); break;
    case kBytesSent: value += static_cast<double>(node.bytes_sent); break;
    case kBytesReceived: value += static_cast<double>(node.bytes_received); break;
    case kBytesRead: value += static_cast<double>(node.bytes_read); break;
    case kBytesWritten: value += static_cast<double>(node.bytes_written); break;
    case kTraceEvents: value += static_cast<double>(node.trace_events); break;
    case kTraceBytes: value += static_cast<double>(node.trace_bytes); break;
  }
}

}  // namespace

// The first walk: which call paths there are, which of them each thread has, and which rows there will be.
class SummaryCube::Planner {
 public:
  Planner(SummaryCube& cube, const Definitions& definitions)
      : cube_(cube), report_(cube.report_), definitions_(definitions), report_regions_(report_regions(definitions)) {
    for (const SummaryMetric& facts : kMetrics) {
      ReportMetric metric;
      metric.unique_name = facts.name;
      metric.display_name = facts.display_name;
      metric.unit = facts.unit;
      metric.description = facts.description;
      metric.kind = facts.kind;
      metric.type = facts.type;
      report_.add_metric(std::move(metric));
    }
    for (const Counter& counter : definitions.counters) report_.add_metric(counter_metric(definitions, counter));
    cube_.has_row_.resize(kMetricCount + definitions.counters.size());
  }

  void add_thread(const ThreadProfile& profile) {
    std::vector<std::uint32_t> paths;
    std::map<Loop, std::vector<IterationCluster>> loops;
    for (const IterationCluster& cluster : profile.clusters) {
      const ProfileNode& node = profile.nodes[cluster.node];
      loops[{node.parent, node.region}].push_back(cluster);
    }
    std::map<std::uint32_t, std::uint32_t> cluster_regions;  // by node
    for (std::uint32_t i = 0; i < profile.nodes.size(); ++i) {
      const ProfileNode& node = profile.nodes[i];
      const CallPathId parent = node.parent == ProfileNode::kNoParent ? CallPathId() : CallPathId(paths[node.parent]);
      if (const auto loop = loops.find({node.parent, node.region}); loop != loops.end()) {
        name_clusters(profile, loop->second, {parent.value, node.region}, cluster_regions);
        loops.erase(loop);
      }
      const auto cluster = cluster_regions.find(i);
      paths.push_back(child(parent, cluster == cluster_regions.end() ? node.region : cluster->second).value);
      note_rows(paths.back(), node);
      note_counters(paths.back(), profile, i);
    }
    const auto [entry, is_new] = lists_.try_emplace(paths, static_cast<std::uint32_t>(cube_.path_lists_.size()));
    if (is_new) cube_.path_lists_.push_back(std::move(paths));
    cube_.list_of_.push_back(entry->second);
  }

  void finish() { describe_clusters(); }

 private:
  void note_rows(std::uint32_t path, const ProfileNode& node) {
    for (std::uint32_t metric = 0; metric < kMetricCount; ++metric) {
      std::vector<bool>& has_row = cube_.has_row_[metric];
      has_row.resize(report_.structure.call_paths.size());
      if (has_value(metric, node)) has_row[path] = true;
    }
  }

  void note_counters(std::uint32_t path, const ThreadProfile& profile, std::size_t node) {
    for (std::size_t i = 0; i < profile.counters.size(); ++i) {
      std::vector<bool>& has_row = cube_.has_row_[kMetricCount + profile.counters[i]];
      has_row.resize(report_.structure.call_paths.size());
      if (profile.counter_values[node * profile.counters.size() + i] != 0) has_row[path] = true;
    }
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
    const auto next = static_cast<std::uint32_t>(report_regions_.size());
    const auto [entry, is_new] = cluster_regions_.try_emplace({region, number}, next);
    if (is_new) {
      report_regions_.push_back(static_cast<std::uint32_t>(report_.structure.regions.size()));
      ReportRegion cluster = report_.structure.regions[report_regions_[region]];
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
        const std::uint32_t region = report_regions_[cluster_regions_.at({loop.second, number})];
        std::string& text = report_.structure.regions[region].description;
        text += (text.empty() ? "iterations " : "; elsewhere ") + facts.numbers.text_of(number, facts.visits[number]);
      }
  }

  CallPathId child(CallPathId parent, std::uint32_t region) {
    const auto [entry, is_new] =
        known_.try_emplace({parent.value, region}, CallPathId(report_.structure.call_paths.size()));
    if (is_new) {
      ReportCallPath path;
      path.region = report_regions_[region];
      path.parent = parent;
      if (region < definitions_.regions.size() && definitions_.regions[region].base.is_valid())
        set_call_site(definitions_, definitions_.regions[region], path);
      report_.structure.call_paths.push_back(std::move(path));
    }
    return entry->second;
  }

  SummaryCube& cube_;
  Report& report_;
  const Definitions& definitions_;
  std::vector<std::uint32_t> report_regions_;  // by number of a region in the definitions; then those of clusters
  std::map<std::vector<std::uint32_t>, std::uint32_t> lists_;            // numbers of path lists
  std::map<std::pair<std::uint32_t, std::uint32_t>, CallPathId> known_;  // (parent, region)
  std::map<Loop, LoopOfReport> loops_;
  std::map<std::pair<std::uint32_t, std::size_t>, std::uint32_t> cluster_regions_;  // (region of the loop, number)
};

SummaryCube::SummaryCube(const Definitions& definitions, ProfileWalk walk, std::size_t block_bytes)
    : walk_(std::move(walk)), counters_(definitions.counters) {
  report_.structure = structure_of(definitions);
  report_.structure.attributes.push_back({"Creator", "tarry-measure " TARRY_VERSION});
  if (definitions.clock.ticks_per_second > 0) seconds_per_tick_ = 1 / definitions.clock.ticks_per_second;
  const std::size_t row_bytes = std::max<std::size_t>(1, definitions.locations.size() * sizeof(double));
  rows_per_block_ = std::max<std::size_t>(1, block_bytes / row_bytes);
  Planner planner(*this, definitions);
  walk_([&](const ThreadProfile& profile) { planner.add_thread(profile); });
  planner.finish();
  for (auto& has_row : has_row_) has_row.resize(report_.structure.call_paths.size());
}

SummaryCube::~SummaryCube() = default;

void SummaryCube::read_row(MetricId metric, CallPathId path, std::span<double> row) const {
  const Position wanted{metric.value, path.value};
  if (!block_.contains({wanted.metric, wanted.path})) gather(wanted);
  const std::vector<double>& values = block_.at({wanted.metric, wanted.path});
  std::copy(values.begin(), values.end(), row.begin());
}

// The rows that a file needs next: metric by metric, in the order in which it holds them.
std::vector<SummaryCube::Position> SummaryCube::positions_from(Position first) const {
  const auto layout = plan_cubex(report_.structure, "");
  if (!layout.ok()) return {first};
  std::vector<Position> positions;
  bool is_behind = false;
  for (const ListedMetric& listed : layout.value().metrics) {
    const bool is_inclusive = report_.structure.metrics[listed.metric.value].kind == MetricKind::kInclusive;
    for (const std::uint32_t path : is_inclusive ? layout.value().inclusive_rows : layout.value().call_paths) {
      is_behind = is_behind || (listed.metric.value == first.metric && path == first.path);
      if (is_behind && has_row(listed.metric, CallPathId(path))) positions.push_back({listed.metric.value, path});
      if (positions.size() == rows_per_block_) return positions;
    }
  }
  return positions.empty() ? std::vector<Position>{first} : positions;
}

// A thread may lack some of the counters.
void SummaryCube::add_counter(std::uint32_t number, const ThreadProfile& profile, std::size_t node,
                              double& value) const {
  for (std::size_t i = 0; i < profile.counters.size(); ++i) {
    if (profile.counters[i] != number) continue;
    const std::uint64_t bits = profile.counter_values[node * profile.counters.size() + i];
    add_counter_value(counters_[number], counter_value(counters_[number].type, bits), value);
  }
}

void SummaryCube::gather(Position first) const {
  block_.clear();
  std::vector<std::vector<std::pair<std::uint32_t, double*>>> wanted(report_.structure.call_paths.size());  // by path
  for (const Position& position : positions_from(first)) {
    std::vector<double>& row = block_[{position.metric, position.path}];
    row.resize(report_.structure.locations.size());
    fill_neutral(report_.structure.metrics[position.metric].format(), row);
    wanted[position.path].push_back({position.metric, row.data()});
  }
  std::size_t next = 0;
  walk_([&](const ThreadProfile& profile) {
    const std::vector<std::uint32_t>& paths = path_lists_[list_of_[next++]];
    for (std::size_t i = 0; i < profile.nodes.size(); ++i)
      for (const auto& [metric, row] : wanted[paths[i]]) {
        if (metric >= kMetricCount) add_counter(metric - kMetricCount, profile, i, row[profile.location.value]);
        else if (has_value(metric, profile.nodes[i]))
          add_value(metric, profile.nodes[i], seconds_per_tick_, row[profile.location.value]);
      }
  });
}

Report collate_summary(const Definitions& definitions, const std::vector<ThreadProfile>& profiles) {
  const SummaryCube cube(definitions, [&](const auto& visit) {
    for (const ThreadProfile& profile : profiles) visit(profile);
  });
  return load_report(cube);
}

}  // namespace tarry

// collate_summary.cpp -- the call-path summaries of all threads become one report.
#include "summary/collate_summary.hpp"

#include <algorithm>

#include "defs/communicator_table.hpp"
#include "defs/inlined_chains.hpp"
#include "report/tree/call_path_tree.hpp"
#include "report/tables/file_table.hpp"
#include "report/tables/message_matrix.hpp"
#include "report/tree/metric_tree.hpp"
#include "summary/align_clusters.hpp"
#include "report/tree/structure_of.hpp"

namespace tarry {

// The first walk: which call paths there are, which of them each thread has, and which rows there will be.
class SummaryCube::Planner {
 public:
  Planner(SummaryCube& cube, const Definitions& definitions)
      : cube_(cube),
        report_(cube.report_),
        definitions_(definitions),
        chains_(definitions),
        report_regions_(report_regions(definitions)),
        has_regions_(definitions.processes.size()),
        communicators_(definitions) {}

  // Threads of a process come one after the other. Those of OpenMP wait for each other: the call paths of a worker lie
  // below one of the thread that has forked its team.
  void add_thread(const ThreadProfile& profile) {
    const ProcessId process = definitions_.locations[profile.location.value].process;
    if (process != process_) finish_process();
    process_ = process;
    const std::size_t number = cube_.list_of_.size();
    cube_.list_of_.push_back(0);
    add_messages(profile);
    std::ranges::copy(profile.files, std::back_inserter(files_of_process_));
    if (profile.forks.empty() && profile.teams.empty()) return plan(profile, number);
    waiting_.push_back({profile, number});
  }

  void finish() {
    finish_process();
    describe_clusters();
    add_matrix(matrix_, report_.files);
    add_file_table(files_.take(), report_.files);
    cube_.derived_ = DerivedRows(definitions_, report_.structure, has_regions_);
    cube_.derived_.add_rows(cube_.rows_);
    cube_.region_around_ = regions_around(report_.structure);
  }

 private:
  struct WaitingThread {
    ThreadProfile profile;
    std::size_t number = 0;
  };

  // A place whose fork is not found is outermost: that of a profile that is lost, or of iterations in a cluster.
  void finish_process() {
    const auto can_be_planned = [this](const WaitingThread& thread) {
      return std::ranges::all_of(thread.profile.teams,
                                 [this](const ForkPlace& team) { return forks_.contains(team.fork); });
    };
    while (!waiting_.empty()) {
      auto next = std::ranges::find_if(waiting_, can_be_planned);
      if (next == waiting_.end()) next = waiting_.begin();
      plan(next->profile, next->number);
      waiting_.erase(next);
    }
    forks_.clear();
    sum_messages_of_process();
    files_.add_process(std::exchange(files_of_process_, {}));
  }

  // Where an outermost call path of a thread is in the report; `team`: the next of its places, in order.
  CallPathId parent_of_outermost(const ThreadProfile& profile, std::uint32_t node, std::size_t& team) const {
    if (team == profile.teams.size() || profile.teams[team].node != node) return {};
    const auto fork = forks_.find(profile.teams[team++].fork);
    return fork == forks_.end() ? CallPathId() : fork->second;
  }

  void plan(const ThreadProfile& profile, std::size_t number) {
    std::vector<std::uint32_t> paths;
    std::size_t team = 0, fork = 0;
    const std::vector<Ticks> own = exclusive_times(profile);
    std::map<Loop, std::vector<IterationCluster>> loops;
    for (const IterationCluster& cluster : profile.clusters) {
      const ProfileNode& node = profile.nodes[cluster.node];
      loops[{node.parent, node.region}].push_back(cluster);
    }
    std::map<std::uint32_t, std::uint32_t> cluster_regions;  // by node
    for (std::uint32_t i = 0; i < profile.nodes.size(); ++i) {
      const ProfileNode& node = profile.nodes[i];
      const CallPathId parent = node.parent == ProfileNode::kNoParent ? parent_of_outermost(profile, i, team)
                                                                      : CallPathId(paths[node.parent]);
      if (const auto loop = loops.find({node.parent, node.region}); loop != loops.end()) {
        name_clusters(profile, loop->second, {parent.value, node.region}, cluster_regions);
        loops.erase(loop);
      }
      const auto cluster = cluster_regions.find(i);
      paths.push_back(child(parent, cluster == cluster_regions.end() ? node.region : cluster->second).value);
      if (fork < profile.forks.size() && profile.forks[fork].node == i)
        forks_[profile.forks[fork++].fork] = CallPathId(paths.back());
      cube_.values_.for_each(profile, i, own[i],
                             [&](SummaryMetric metric, double) { cube_.rows_.add(metric, paths.back()); });
      note_region(profile, node);
    }
    const auto [entry, is_new] = lists_.try_emplace(paths, static_cast<std::uint32_t>(cube_.path_lists_.size()));
    if (is_new) cube_.path_lists_.push_back(std::move(paths));
    cube_.list_of_[number] = entry->second;
  }

  void note_region(const ThreadProfile& profile, const ProfileNode& node) {
    const Region& region = definitions_.regions[node.region];
    if (region.paradigm == Paradigm::kOpenMp && region.role == RegionRole::kParallel)
      has_regions_[definitions_.locations[profile.location.value].process.value] = true;
  }

  void add_messages(const ThreadProfile& profile) {
    const WorldRank self(definitions_.processes[process_.value].rank);
    for (const ReceiverCount& count : profile.receivers) {
      const bool is_other = count.comm == ReceiverCount::kOthers;
      if (!is_other && communicators_.leads_outside(CommId(count.comm))) continue;
      const WorldRank receiver =
          is_other ? WorldRank() : communicators_.world_rank(CommId(count.comm), CommRank(count.receiver), self);
      of_process_.push_back({self.value, receiver.value, count.messages, count.bytes});
    }
  }

  void sum_messages_of_process() {
    const MessageMatrix sums = sum_messages(std::move(of_process_), kept_receivers(definitions_.processes.size()));
    matrix_.insert(matrix_.end(), sums.begin(), sums.end());
    of_process_.clear();
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
    const RegionId caller = parent.is_valid() ? RegionId(defined_regions_[parent.value]) : RegionId();
    for (const RegionId inlined : chains_.between(caller, RegionId(region))) parent = own_child(parent, inlined.value);
    return own_child(parent, region);
  }

  CallPathId own_child(CallPathId parent, std::uint32_t region) {
    const auto [entry, is_new] =
        known_.try_emplace({parent.value, region}, CallPathId(report_.structure.call_paths.size()));
    if (is_new) {
      ReportCallPath path;
      path.region = report_regions_[region];
      path.parent = parent;
      if (region < definitions_.regions.size() && definitions_.regions[region].base.is_valid())
        set_call_site(definitions_, definitions_.regions[region], path);
      report_.structure.call_paths.push_back(std::move(path));
      defined_regions_.push_back(region);
    }
    return entry->second;
  }

  SummaryCube& cube_;
  Report& report_;
  const Definitions& definitions_;
  const InlinedChains chains_;
  std::vector<std::uint32_t> defined_regions_;  // by call path
  std::vector<std::uint32_t> report_regions_;   // by number of a region in the definitions; then those of clusters
  std::map<std::vector<std::uint32_t>, std::uint32_t> lists_;            // numbers of path lists
  std::map<std::pair<std::uint32_t, std::uint32_t>, CallPathId> known_;  // (parent, region)
  std::map<Loop, LoopOfReport> loops_;
  std::map<std::pair<std::uint32_t, std::size_t>, std::uint32_t> cluster_regions_;  // (region of the loop, number)
  std::vector<bool> has_regions_;                                                   // by process: parallel ones
  const CommunicatorTable communicators_;
  ProcessId process_;  // whose threads are being added
  std::vector<WaitingThread> waiting_;
  std::map<std::uint64_t, CallPathId> forks_;  // of the process: where its teams were forked
  std::vector<MessageCount> of_process_;       // what it has sent so far
  MessageMatrix matrix_;
  std::vector<FileCount> files_of_process_;
  FileTableBuilder files_{definitions_};
};

SummaryCube::SummaryCube(const Definitions& definitions, ProfileWalk walk, std::size_t block_bytes)
    : walk_(std::move(walk)), values_(definitions), rows_(values_.metric_count()) {
  report_.structure = structure_of(definitions);
  report_.structure.attributes.push_back({"Creator", "tarry-measure " TARRY_VERSION});
  const std::size_t row_bytes = std::max<std::size_t>(1, definitions.locations.size() * sizeof(double));
  rows_per_block_ = std::max<std::size_t>(1, block_bytes / row_bytes);
  Planner planner(*this, definitions);
  walk_([&](const ThreadProfile& profile) { planner.add_thread(profile); });
  planner.finish();
  add_metrics();
}

SummaryCube::~SummaryCube() = default;

// Metrics that have values, and their parents. Processes that were killed as they began may have spent no time: the
// report says so.
void SummaryCube::add_metrics() {
  std::vector<bool> is_used(values_.metric_count());
  for (SummaryMetric metric = 0; metric < is_used.size(); ++metric) is_used[metric] = rows_.has_any(metric);
  is_used[number_of(Metric::kTime)] = true;
  for (const Metric metric : catalogue())
    for (Metric above = info_of(metric).parent; is_used[number_of(metric)] && above != Metric::kNone;
         above = info_of(above).parent)
      is_used[number_of(above)] = true;
  std::map<SummaryMetric, MetricId> known;
  for (const SummaryMetric metric : values_.all_metrics()) {
    if (!is_used[metric]) continue;
    ReportMetric described = values_.describe(metric);
    const Metric parent = metric < kMetricCount ? info_of(static_cast<Metric>(metric)).parent : Metric::kNone;
    if (parent != Metric::kNone) described.parent = known.at(number_of(parent));
    known[metric] = report_.add_metric(std::move(described));
    metrics_.push_back(metric);
  }
}

void SummaryCube::read_row(MetricId metric, CallPathId path, std::span<double> row) const {
  if (!has_row(metric, path)) return fill_neutral(report_.structure.metrics[metric.value].format(), row);
  if (!is_gathered(metric, path)) gather(metric, path);
  std::ranges::fill(row, 0);
  const SummaryMetric wanted = metrics_[metric.value];
  derived_.make_row(
      wanted, path, [&](SummaryMetric part) -> std::span<const double> { return block_.find(path.value, part); }, row);
  const double unit = values_.unit_of(wanted);
  const ValueType type = report_.structure.metrics[metric.value].type;
  for (double& value : row)
    if (!is_neutral_number(type, value)) value *= unit;
}

bool SummaryCube::is_gathered(MetricId metric, CallPathId path) const {
  return std::ranges::all_of(derived_.parts_of(metrics_[metric.value], path),
                             [&](SummaryMetric part) { return !block_.find(path.value, part).empty(); });
}

// The parts of the rows that a file needs next: metric by metric, in the order in which it holds them.
std::vector<RowBlock::Place> SummaryCube::places_from(MetricId metric, CallPathId path) const {
  const std::vector<ListedMetric> listed = list_metrics(report_.structure.metrics);
  const std::vector<std::uint32_t> paths = call_tree().preorder();
  std::vector<RowBlock::Place> places;
  auto next = std::ranges::find(paths, path.value);
  for (auto of = std::ranges::find(listed, metric, &ListedMetric::metric); of != listed.end(); ++of) {
    for (; next != paths.end(); ++next) {
      if (!has_row(of->metric, CallPathId(*next))) continue;
      const RowParts parts = derived_.parts_of(metrics_[of->metric.value], CallPathId(*next));
      if (!places.empty() && places.size() + parts.count > rows_per_block_) return places;
      for (const SummaryMetric part : parts) places.emplace_back(*next, part);
    }
    next = paths.begin();
  }
  return places;
}

void SummaryCube::gather(MetricId metric, CallPathId path) const {
  block_ = RowBlock(places_from(metric, path), report_.structure.call_paths.size(), report_.structure.locations.size());
  std::vector<ValueFormat> formats;
  for (SummaryMetric number = 0; number < values_.metric_count(); ++number)
    formats.push_back(values_.describe(number).format());
  for (std::size_t i = 0; i < block_.places().size(); ++i)
    fill_neutral(formats[block_.places()[i].second], block_.row(i));
  std::size_t next = 0;
  walk_([&](const ThreadProfile& profile) {
    const std::vector<std::uint32_t>& paths = path_lists_[list_of_[next++]];
    const std::vector<Ticks> own = exclusive_times(profile);
    const auto add = [&](std::uint32_t path, SummaryMetric metric, double value) {
      const std::span<double> row = block_.find(path, metric);
      if (!row.empty()) values_.add(metric, value, row[profile.location.value]);
    };
    for (std::size_t i = 0; i < profile.nodes.size(); ++i) {
      const std::uint32_t path = paths[i];
      // What a thread does in a nested team alone is a part of the region around it, too.
      if (profile.nodes[i].parent == ProfileNode::kNoParent && region_around_[path].is_valid())
        add(region_around_[path].value, kFullTime, static_cast<double>(profile.nodes[i].time));
      if (block_.has_rows(path))
        values_.for_each(profile, i, own[i], [&](SummaryMetric metric, double value) { add(path, metric, value); });
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

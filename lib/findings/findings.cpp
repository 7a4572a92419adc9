// findings.cpp -- ranked summary of a report.
#include "findings/findings.hpp"

#include <algorithm>
#include <numeric>

#include "report/tree/call_path_tree.hpp"
#include "report/metrics/counter_metric.hpp"
#include "report/algebra/metric_totals.hpp"

namespace tarry {
namespace {

constexpr std::size_t kMostKernels = 3;
constexpr double kLeastImbalance = 0.001;  // of the allocation time

// Sums a row over the locations of each process.
std::vector<double> by_process(const ReportStructure& structure, const std::vector<double>& row) {
  std::vector<double> sums(structure.processes.size());
  for (std::size_t i = 0; i < row.size(); ++i) sums[structure.locations[i].process] += row[i];
  return sums;
}

RankTime largest_of(const ReportStructure& structure, const std::vector<double>& sums) {
  const auto largest = std::max_element(sums.begin(), sums.end());
  if (largest == sums.end()) return {};
  return {ReportRank(structure.processes[static_cast<std::size_t>(largest - sums.begin())].rank), *largest};
}

// Whether findings name threads: ranks of a single process tell nothing.
bool names_threads(const ReportStructure& structure) {
  return structure.processes.size() == 1 && structure.thread_count() > 1;
}

ThreadTime largest_thread(const ReportStructure& structure, const std::vector<double>& row) {
  const auto largest = std::max_element(row.begin(), row.end());
  return {ReportThread(structure.locations[static_cast<std::size_t>(largest - row.begin())].rank), *largest};
}

// Which threads wait, in a report of one process.
void add_threads(const ReportStructure& structure, const std::vector<double>& row, auto& finding) {
  if (!names_threads(structure)) return;
  finding.worst_thread = largest_thread(structure, row);
  for (std::size_t i = 0; i < row.size(); ++i)
    if (row[i] >= finding.worst_thread.seconds / 2)
      finding.waiting_threads.push_back(ReportThread(structure.locations[i].rank));
}

// Ghosts of call paths that a process never reached would look like ranks that do not wait.
std::vector<double> visits_by_process(const Report& report, CallPathId path) {
  const MetricId visits = report.find_metric("visits");
  std::vector<double> row;
  if (!visits.is_valid() || !report.exclusive_row(visits, path, row))
    return std::vector<double>(report.structure.processes.size(), visits.is_valid() ? 0 : 1);
  return by_process(report.structure, row);
}

// The first part of a wait state that most of the time belongs to; the wait state itself if there is none.
MetricId main_part(const Report& report, MetricId metric, CallPathId path, Seconds seconds) {
  std::vector<double> row;
  for (const MetricId part : parts_of(report.structure, metric))
    if (report.exclusive_row(part, path, row) && std::accumulate(row.begin(), row.end(), 0.0) > seconds / 2)
      return part;
  return metric;
}

void add_ranks(const Report& report, MetricId metric, WaitFinding& finding) {
  const ReportStructure& structure = report.structure;
  std::vector<double> row;
  if (!report.exclusive_row(metric, finding.call_path, row)) return;
  add_threads(structure, row, finding);
  const std::vector<double> waits = by_process(structure, row);
  const std::vector<double> visits = visits_by_process(report, finding.call_path);
  finding.worst = largest_of(structure, waits);
  for (std::size_t i = 0; i < waits.size(); ++i) {
    if (visits[i] > 0 || waits[i] > 0) finding.ranks.push_back({ReportRank(structure.processes[i].rank), waits[i]});
    if (waits[i] >= finding.worst.seconds / 2) finding.waiting_most.push_back(ReportRank(structure.processes[i].rank));
  }
  std::sort(finding.ranks.begin(), finding.ranks.end(), [](auto& a, auto& b) { return a.rank < b.rank; });
}

// The longest wait of a finding that the report lists.
std::optional<SevereWait> longest_of(const Report& report, const std::vector<SevereWait>& waits,
                                     const WaitFinding& finding) {
  const std::string path = call_path_text(report.structure, finding.call_path);
  for (const SevereWait& wait : waits)
    if (wait.metric == finding.metric && wait.call_path == path) return wait;
  return std::nullopt;
}

// The largest elements first; equal ones stay in order.
template <class T>
void keep_largest(std::vector<T>& items, std::size_t most) {
  std::stable_sort(items.begin(), items.end(), [](const T& a, const T& b) { return a.seconds > b.seconds; });
  if (items.size() > most) items.resize(most);
}

// A wait state as a whole, and who waits.
WaitTotal total_wait(const Report& report, MetricId metric, const MetricTotals& totals) {
  const ReportStructure& structure = report.structure;
  WaitTotal total;
  total.metric = structure.metrics[metric.value].unique_name;
  total.name = structure.metrics[metric.value].display_name;
  total.seconds = totals.whole;
  std::vector<double> sums(structure.locations.size()), row;
  for (std::size_t path = 0; path < totals.exclusive.size(); ++path) {
    if (totals.exclusive[path] <= 0 || !report.exclusive_row(metric, CallPathId(path), row)) continue;
    ++total.call_paths;
    for (std::size_t i = 0; i < row.size(); ++i) sums[i] += row[i];
  }
  add_threads(structure, sums, total);
  const std::vector<double> waits = by_process(structure, sums);
  total.worst = largest_of(structure, waits);
  for (std::size_t i = 0; i < waits.size(); ++i)
    if (waits[i] >= total.worst.seconds / 2) total.waiting_most.push_back(ReportRank(structure.processes[i].rank));
  return total;
}

struct Candidate {
  MetricId metric;
  CallPathId path;
  Seconds seconds;
};

// The largest, and the largest of each wait state.
void keep_told(std::vector<Candidate>& candidates, std::size_t most) {
  keep_largest(candidates, candidates.size());
  std::vector<MetricId> has_one;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Candidate candidate = candidates[i];
    const bool is_first = std::ranges::find(has_one, candidate.metric) == has_one.end();
    if (is_first) has_one.push_back(candidate.metric);
    if (is_first || i < most) candidates[kept++] = candidate;
  }
  candidates.resize(kept);
}

void find_waits(const Report& report, const std::vector<WaitCauses>& causes, std::size_t most, Findings& findings) {
  std::vector<Candidate> candidates;
  for (const MetricId metric : wait_metrics(report.structure)) {
    const MetricTotals totals = total_of(report, metric);
    findings.waiting += totals.whole;
    if (totals.whole > 0) findings.wait_totals.push_back(total_wait(report, metric, totals));
    for (std::size_t path = 0; path < totals.exclusive.size(); ++path)
      if (totals.exclusive[path] > 0) candidates.push_back({metric, CallPathId(path), totals.exclusive[path]});
  }
  keep_largest(findings.wait_totals, findings.wait_totals.size());
  keep_told(candidates, most);
  const std::vector<SevereWait> severe = severe_waits(report);
  for (const Candidate& candidate : candidates) {
    WaitFinding finding;
    finding.metric = report.structure.metrics[candidate.metric.value].unique_name;
    const MetricId part = main_part(report, candidate.metric, candidate.path, candidate.seconds);
    finding.name = report.structure.metrics[part.value].display_name;
    finding.kind = part_family(report.structure.metrics[part.value].unique_name, finding.metric);
    finding.call_path = candidate.path;
    finding.seconds = candidate.seconds;
    add_ranks(report, candidate.metric, finding);
    finding.longest = longest_of(report, severe, finding);
    if (const WaitCauses* found = causes_of(causes, finding.metric, finding.call_path)) finding.causes = *found;
    findings.waits.push_back(std::move(finding));
  }
}

void find_paths(const Report& report, MetricId time, const MetricTotals& totals, std::size_t most, Findings& findings) {
  for (std::size_t path = 0; path < totals.exclusive.size(); ++path)
    if (totals.exclusive[path] > 0) findings.paths.push_back({CallPathId(path), totals.exclusive[path], 0, {}, 0, {}});
  keep_largest(findings.paths, most);
  for (PathFinding& finding : findings.paths) {
    std::vector<double> row;
    report.exclusive_row(time, finding.call_path, row);
    finding.worst = largest_of(report.structure, by_process(report.structure, row));
    const bool is_of_threads = names_threads(report.structure);
    if (is_of_threads) finding.worst_thread = largest_thread(report.structure, row);
    const std::size_t sharers = is_of_threads ? report.structure.thread_count() : findings.processes;
    finding.mean = finding.seconds / static_cast<double>(std::max<std::size_t>(1, sharers));
    const std::vector<double> visits = visits_by_process(report, finding.call_path);
    finding.visits = std::accumulate(visits.begin(), visits.end(), 0.0);
  }
}

// A summary names them "step=cluster 3", and lists their iterations.
void find_clusters(const Report& report, const MetricTotals& times, Findings& findings) {
  const MetricId visits = report.find_metric("visits");
  const std::string_view opening = "iterations ";
  if (!visits.is_valid()) return;
  MetricTotals counts;
  for (std::size_t path = 0; path < report.structure.call_paths.size(); ++path) {
    const ReportRegion& region = report.structure.regions[report.structure.call_paths[path].region];
    if (region.name.find("=cluster ") == std::string::npos || !region.description.starts_with(opening)) continue;
    if (findings.clusters.empty()) counts = total_of(report, visits);
    findings.clusters.push_back(
        {CallPathId(path), times.inclusive[path], counts.exclusive[path], region.description.substr(opening.size())});
  }
  keep_largest(findings.clusters, findings.clusters.size());
}

// The longest of all locations. Inclusive rows add up over the roots of the call tree, exclusive ones over all paths.
Seconds wall_time(const Report& report, MetricId time) {
  const bool is_inclusive = report.structure.metrics[time.value].kind == MetricKind::kInclusive;
  std::vector<Seconds> sums(report.structure.locations.size());
  for (std::size_t path = 0; path < report.structure.call_paths.size(); ++path) {
    if (is_inclusive && report.structure.call_paths[path].parent.is_valid()) continue;
    const auto row = report.find_row(time, CallPathId(path));
    for (std::size_t i = 0; i < row.size(); ++i) sums[i] += row[i];
  }
  return sums.empty() ? 0 : *std::max_element(sums.begin(), sums.end());
}

std::string program_name(const Report& report, const MetricTotals& totals) {
  std::string name;
  Seconds largest = -1;
  for (const std::uint32_t root : report.call_tree().roots())
    if (totals.inclusive[root] > largest) {
      largest = totals.inclusive[root];
      name = report.structure.regions[report.structure.call_paths[root].region].name;
    }
  return name;
}

std::string incompleteness(const Report& report) {
  std::string text;
  for (const auto& [key, value] : report.structure.attributes)
    if (key == kIncompleteAttribute) text = value;
  for (const std::string& damage : report.damage) text += (text.empty() ? "" : "; ") + damage;
  return text;
}

Seconds init_and_finalize(const Report& report) {
  const MetricId start_and_end = report.find_metric("mpi_init_exit");
  if (!start_and_end.is_valid()) return 0;
  const MetricId waiting = report.find_metric("mpi_finalize_wait");
  return total_of(report, start_and_end).whole - (waiting.is_valid() ? total_of(report, waiting).whole : 0);
}

void find_counters(const Report& report, Findings& findings) {
  const ReportStructure& structure = report.structure;
  for (std::size_t m = 0; m < structure.metrics.size(); ++m) {
    const ReportMetric& metric = structure.metrics[m];
    if (!is_counter(metric)) continue;
    CounterFinding found{metric.display_name, metric.unit, !is_additive(metric.type)};
    for (std::uint32_t path = 0; path < structure.call_paths.size(); ++path) {
      double value = 0;
      for (const double each : report.find_row(MetricId(m), CallPathId(path)))
        if (!is_neutral_number(metric.type, each)) value = found.is_level ? std::max(value, each) : value + each;
      if (!found.is_level && value > found.at_path) {
        found.at_path = value;
        found.call_path = CallPathId(path);
      }
      found.value = found.is_level ? std::max(found.value, value) : found.value + value;
    }
    findings.counters.push_back(std::move(found));
  }
}

// A rank that takes longest in a region may have had no processor there, or pages to be made. Sleep is its own work.
void name_outside_cause(const Report& report, const Findings& findings, RootCause& cause) {
  constexpr double kNamedPart = 1.0 / 3;  // of the excess
  const std::uint32_t region = report.structure.call_paths[cause.path.value].region;
  if (cause.nature != CauseNature::kLoad || cause.who.empty()) return;
  for (const RegionImbalance& imbalance : findings.imbalances.regions) {
    if (imbalance.region != region || imbalance.causes.empty() || imbalance.worst != cause.who.front().rank) continue;
    const CauseFinding& outside = imbalance.causes.front();
    if (outside.cause == OutsideCause::kBlocked) continue;
    if (std::max(outside.share, outside.least_share) < kNamedPart) continue;
    cause.outside = outside;
  }
}

}  // namespace

Result<Findings> find_findings(const Report& report, std::size_t most) {
  const MetricId time = report.find_metric("time");
  if (!time.is_valid()) return Error{"report", "has no metric 'time'", "is it a report of a run?"};
  Findings findings;
  const ReportStructure& structure = report.structure;
  const MetricTotals times = total_of(report, time);
  findings.program = program_name(report, times);
  findings.nodes = static_cast<std::size_t>(std::count_if(structure.system_nodes.begin(), structure.system_nodes.end(),
                                                          [](auto& node) { return node.class_name == "node"; }));
  findings.processes = structure.processes.size();
  findings.locations = structure.thread_count();
  findings.wall = wall_time(report, time);
  findings.shares = time_shares(report);
  // An analysis of a run that never waits has the time hierarchy, though no wait states. So has a summary, but that has
  // the shortest visits, too.
  const bool is_summary = report.find_metric("min_time").is_valid();
  findings.is_analysis =
      !wait_metrics(structure).empty() || (!is_summary && report.find_metric("execution").is_valid());
  const std::vector<WaitCauses> causes = table_of_causes(report);
  find_waits(report, causes, most, findings);
  findings.init_and_finalize = init_and_finalize(report);
  if (!findings.waits.empty()) findings.root_causes = find_root_causes(report, causes);
  findings.critical_path = find_critical_path(report, most);
  findings.devices = find_devices(report, findings.wall, kMostKernels);
  find_paths(report, time, times, most, findings);
  find_clusters(report, times, findings);
  find_counters(report, findings);
  findings.heap = find_heap(report);
  if (!findings.waits.empty()) findings.iterations = find_outlying_iterations(report, findings.waits[0].metric);
  findings.incomplete = incompleteness(report);
  findings.samples = read_sample_losses(structure);
  findings.stacks = read_stack_losses(structure);
  findings.throttled = read_throttled_functions(structure);
  findings.missing_names = find_missing_names(report, times);
  for (const auto& [key, value] : report.structure.attributes) {
    if (key == kCoveredAttribute) findings.covers = value;
    if (key == kPredictedAttribute) findings.predicted = value;
    if (key == kUnreceivedAttribute) findings.unreceived = value;
    if (key == kLeftOutAttribute) findings.left_out = value;
    if (key == kCallsLeftOutAttribute) findings.calls_left_out = value;
    if (key == kUnfollowedBlocksAttribute) findings.unfollowed = value;
    if (key == kUnseenOpenMpAttribute) findings.unseen_openmp = value;
  }
  // Processes keep accounts of the whole run, and of the recorded one.
  if (findings.predicted.empty()) findings.processors = find_processor_load(report);
  const ProcessorLoad none;
  findings.imbalances = find_imbalances(report, findings.covers.empty() ? findings.processors : none, kLeastImbalance);
  for (RootCause& cause : findings.root_causes.causes) name_outside_cause(report, findings, cause);
  for (ToldCause& told : findings.root_causes.told) name_outside_cause(report, findings, told.cause);
  return findings;
}

}  // namespace tarry

// reported_run_times.cpp -- the times of a run from which its efficiencies follow, from a report on it.
#include "efficiency/reported_run_times.hpp"

#include <algorithm>

#include "base/text/function_name.hpp"
#include "base/text/glob.hpp"
#include "base/text/text.hpp"
#include "findings/device_findings.hpp"
#include "report/tree/metric_tree.hpp"
#include "report/tree/parallel_paths.hpp"
#include "report/metrics/useful_time.hpp"

namespace tarry {
namespace {

bool is_begin_or_end(const ReportRegion& region) {
  return is_one_of(plain_name(region.name), {"mpi_init", "mpi_init_thread", "mpi_finalize"});
}

// "step=7" is what iterations of marked loops are called.
std::string region_of_part(const RunPart& part) {
  return part.iteration ? part.region + "=" + std::to_string(*part.iteration) : part.region;
}

bool is_in_part(const ReportRegion& region, const std::string& wanted) {
  return wanted.empty() || is_named(region.name, wanted) || is_named(function_name(region.name), wanted);
}

// What a call path of a report is.
struct PathFacts {
  bool counts = false;
  bool is_parallel = false;
  TimeUse use = TimeUse::kUseful;
};

std::vector<PathFacts> facts_of_paths(const ReportStructure& structure, const RunPart& part) {
  const std::string wanted = region_of_part(part);
  const std::vector<PathTeam> teams = path_teams(structure);
  std::vector<bool> is_selected;
  std::vector<PathFacts> paths;
  for (std::size_t i = 0; i < structure.call_paths.size(); ++i) {
    const ReportCallPath& path = structure.call_paths[i];
    const ReportRegion& region = structure.regions[path.region];
    const bool has_parent = path.parent.value < i;
    is_selected.push_back(is_in_part(region, wanted) || (has_parent && is_selected[path.parent.value]));
    PathFacts facts{is_selected.back() && !is_begin_or_end(region), teams[i] != PathTeam::kSerial,
                    use_of_time(kind_of(region))};
    if (has_parent && paths[path.parent.value].use == TimeUse::kMpi) {
      facts.use = TimeUse::kMpi;
      facts.counts &= paths[path.parent.value].counts;
    }
    paths.push_back(facts);
  }
  return paths;
}

// Seconds of one location.
struct LocationTimes {
  Seconds all = 0, useful = 0, serial_useful = 0, mpi = 0, parallel = 0, offload = 0;
  Seconds not_idle = 0;

  void add(const PathFacts& path, Seconds time, Seconds idle, Seconds managed) {
    const Seconds not_worked = idle + managed;
    all += time;
    not_idle += std::max(0.0, time - idle);
    if (path.is_parallel) parallel += time;
    if (path.use == TimeUse::kMpi) mpi += time;
    if (path.use == TimeUse::kAccelerators) offload += std::max(0.0, time - not_worked);
    if (path.use != TimeUse::kUseful) return;
    useful += std::max(0.0, time - not_worked);
    if (!path.is_parallel) serial_useful += std::max(0.0, time - not_worked);
  }
};

class ReportedTimes {
 public:
  ReportedTimes(const Report& report, std::vector<PathFacts> paths) : report_(report), paths_(std::move(paths)) {}

  std::vector<LocationTimes> of_locations(MetricId time) const {
    const ReportStructure& structure = report_.structure;
    const MetricId idle = find_metric(structure, "omp_idle_threads");
    const MetricId managed = find_metric(structure, "omp_management");
    std::vector<LocationTimes> locations(structure.locations.size());
    std::vector<double> row, idle_row, managed_row;
    const auto read = [&](MetricId metric, CallPathId path, std::vector<double>& into) {
      if (!metric.is_valid() || !report_.exclusive_row(metric, path, into)) into.assign(locations.size(), 0);
    };
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      const CallPathId path(i);
      if (!paths_[i].counts || !report_.exclusive_row(time, path, row)) continue;
      read(idle, path, idle_row);
      read(managed, path, managed_row);
      for (std::size_t l = 0; l < locations.size(); ++l)
        locations[l].add(paths_[i], row[l], idle_row[l], managed_row[l]);
    }
    return locations;
  }

  // Of the first counter of this kind.
  std::optional<double> count_useful(ProcessorEvent wanted) const {
    const auto& metrics = report_.structure.metrics;
    for (std::size_t m = 0; m < metrics.size(); ++m) {
      if (processor_event(metrics[m].unique_name) != wanted) continue;
      double sum = 0;
      std::vector<double> row;
      for (std::size_t i = 0; i < paths_.size(); ++i)
        if (paths_[i].counts && paths_[i].use == TimeUse::kUseful &&
            report_.exclusive_row(MetricId(m), CallPathId(i), row))
          for (const double value : row) sum += value;
      if (sum > 0) return sum;
    }
    return std::nullopt;
  }

 private:
  const Report& report_;
  std::vector<PathFacts> paths_;
};

void add_location(const LocationTimes& location, bool is_master, ProcessTimes& process) {
  process.useful += location.useful;
  process.longest_useful = std::max(process.longest_useful, location.useful);
  process.offload += location.offload;
  process.longest_host = std::max(process.longest_host, location.useful + location.offload);
  if (!is_master) return;
  process.outside_mpi = location.all - location.mpi;
  process.serial_useful = location.serial_useful;
  process.in_parallel = location.parallel;
}

void add_device_times(const Report& report, const std::vector<PathFacts>& paths, std::vector<ProcessTimes>& processes) {
  std::vector<bool> counts;
  for (const PathFacts& path : paths) counts.push_back(path.counts);
  const auto times = times_of_devices(report, counts);
  for (std::size_t i = 0; i < processes.size(); ++i) processes[i].devices = times[i];
}

}  // namespace

Result<RunTimes> reported_run_times(const Report& report, const std::string& input, const RunPart& part) {
  const ReportStructure& structure = report.structure;
  const MetricId time = find_metric(structure, "time");
  if (!time.is_valid()) return Error{input, "has no metric 'time'", "give a report of a measured run"};
  const std::vector<PathFacts> paths = facts_of_paths(structure, part);
  const ReportedTimes reported(report, paths);
  const std::vector<LocationTimes> locations = reported.of_locations(time);
  const std::vector<std::uint32_t> masters = master_threads(structure);
  RunTimes times;
  times.processes.resize(structure.processes.size());
  for (ProcessTimes& process : times.processes) process.threads = 0;
  for (std::size_t l = 0; l < locations.size(); ++l) {
    const ReportLocation& facts = structure.locations[l];
    if (facts.process >= times.processes.size() || !facts.is_thread()) continue;
    ProcessTimes& process = times.processes[facts.process];
    ++process.threads;
    const bool is_master = masters[l] == l;
    add_location(locations[l], is_master, process);
    // A part may be one that other threads spend more time in.
    times.runtime = std::max(times.runtime, is_master ? locations[l].all : locations[l].not_idle);
  }
  if (part.is_whole()) add_device_times(report, paths, times.processes);
  std::erase_if(times.processes, [](const ProcessTimes& process) { return process.threads == 0; });
  if (times.runtime <= 0)
    return Error{input, part.is_whole() ? "holds no times" : "never was in '" + region_of_part(part) + "'",
                 part.iteration ? "iterations of regions that are no marked loops need a trace" : ""};
  times.why_no_ideal = "needs a trace";
  times.instructions = reported.count_useful(ProcessorEvent::kInstructions);
  times.cycles = reported.count_useful(ProcessorEvent::kCycles);
  return times;
}

}  // namespace tarry

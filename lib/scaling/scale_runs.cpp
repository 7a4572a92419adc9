// scale_runs.cpp -- reads the runs of a study: their parameters, times, and the values of their call paths.
#include "scaling/scale_runs.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <mutex>
#include <set>

#include "archive/reading/choose_report.hpp"
#include "base/text/format.hpp"
#include "base/tool/log.hpp"
#include "base/text/text.hpp"
#include "base/processes/worker_pool.hpp"
#include "defs/run_parameters.hpp"
#include "efficiency/reported_run_times.hpp"
#include "efficiency/efficiency_runs.hpp"
#include "report/tree/call_path_tree.hpp"
#include "report/algebra/cube_values.hpp"
#include "report/cubex/cubex_reader.hpp"
#include "report/algebra/merged_sites.hpp"
#include "report/tree/metric_tree.hpp"
#include "scaling/series_builder.hpp"
#include "store/open_store.hpp"
#include "store/run_filter.hpp"
#include "store/stored_cube.hpp"

namespace tarry {
namespace {

constexpr const char* kUsualMetrics[] = {"time", "visits", "bytes_sent", "bytes_rcvd"};

using TextParameters = std::map<std::string, std::string>;

// What the report notes of the run, and how many processes and threads it has.
Result<TextParameters> noted_parameters(const ReportStructure& report, const std::string& input) {
  TextParameters parameters;
  for (const auto& [key, value] : report.attributes) {
    if (key != kParametersAttribute) continue;
    const auto noted = parse_parameters(value);
    if (!noted.ok()) return Error{input, "has parameters that cannot be read: " + noted.error().text(), ""};
    for (const auto& [name, text] : noted.value()) parameters[name] = text;
  }
  std::vector<std::size_t> threads(report.processes.size());
  for (const ReportLocation& location : report.locations)
    if (location.process < threads.size()) ++threads[location.process];
  parameters[kProcesses] = std::to_string(report.processes.size());
  parameters[kThreads] = std::to_string(threads.empty() ? 0 : *std::max_element(threads.begin(), threads.end()));
  return parameters;
}

// What --where is asked of a run that is in no store.
StoredRun facts_of_report(const ReportStructure& report, const std::string& input, const TextParameters& parameters) {
  StoredRun facts;
  facts.source = input;
  facts.ranks = static_cast<std::int64_t>(report.processes.size());
  facts.locations = static_cast<std::int64_t>(report.locations.size());
  facts.parameters.assign(parameters.begin(), parameters.end());
  return facts;
}

std::optional<double> positive_number(const std::string& text) {
  double value = 0;
  const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stopped != text.data() + text.size() || !std::isfinite(value) || value <= 0)
    return std::nullopt;
  return value;
}

double value_of(const std::vector<double>& threads, ValueType type, ThreadValue wanted) {
  double sum = 0, most = 0;
  for (const double value : threads) {
    if (is_neutral_number(type, value)) continue;
    sum += value;
    most = std::max(most, value);
  }
  if (wanted == ThreadValue::kMaximum) return most;
  return wanted == ThreadValue::kSum ? sum : sum / static_cast<double>(threads.size());
}

std::string name_of_path(const ReportStructure& report, std::uint32_t path, bool is_by_region) {
  return is_by_region ? report.regions[report.call_paths[path].region].name : call_path_text(report, CallPathId(path));
}

// Indices of names, in the order they come. Reports are read by several threads.
class NameIndex {
 public:
  std::uint32_t of(const std::string& name) {
    const std::lock_guard lock(mutex_);
    return indices_.try_emplace(name, static_cast<std::uint32_t>(indices_.size())).first->second;
  }

  /// Sorts the names: result[index so far] is the index from now on.
  std::vector<std::uint32_t> sort(std::vector<std::string>& names) {
    std::vector<std::uint32_t> sorted(indices_.size());
    for (const auto& [name, index] : indices_) {
      sorted[index] = static_cast<std::uint32_t>(names.size());
      names.push_back(name);
    }
    return sorted;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::uint32_t> indices_;
};

IndexedValues read_values(CubeValues& values, MetricId metric, const ScaleOptions& options, NameIndex& names) {
  const ReportStructure& report = values.source().structure();
  std::vector<double> row(report.locations.size());
  std::map<std::uint32_t, double> sums;
  for (std::uint32_t path = 0; path < report.call_paths.size(); ++path) {
    if (!values.row(metric, CallPathId(path), Flavour::kExclusive, row)) continue;
    sums[names.of(name_of_path(report, path, options.is_by_region))] +=
        value_of(row, report.metrics[metric.value].type, options.value);
  }
  return IndexedValues(sums.begin(), sums.end());
}

struct ReadRun {
  TextParameters parameters;
  ScaleRun run;
  std::set<std::string> time_metrics = {};  // in seconds
};

void read_metrics(CubeValues& values, const ScaleOptions& options, NameIndex& names, ReadRun& read) {
  const ReportStructure& report = values.source().structure();
  const auto read_one = [&](const std::string& name) {
    const MetricId metric = find_metric(report, name);
    if (!metric.is_valid() || values.is_void(metric)) return;
    read.run.values[name] = read_values(values, metric, options, names);
    if (report.metrics[metric.value].unit == "sec") read.time_metrics.insert(name);
  };
  if (options.metrics.empty())
    for (const char* name : kUsualMetrics) read_one(name);
  for (const std::string& name : options.metrics) read_one(name);
}

Status check_is_run(const ReportStructure& report, const std::string& input) {
  if (report.locations.empty()) return Error{input, "has no processes", "give a report of a run"};
  return {};
}

// The parameters of the store are those of today: they may have been given when the run was added.
Result<ReadRun> read_report_of_run(const Report& report, const std::string& input, TextParameters parameters,
                                   const ScaleOptions& options, NameIndex& names) {
  ReadRun read{.parameters = std::move(parameters),
               .run = {.input = input, .parameters = {}, .times = {}, .values = {}, .parts = {}}};
  TARRY_TRY(check_is_run(report.structure, input));
  TARRY_TRY_ASSIGN(times, reported_run_times(report, input, {}));
  read.run.times = std::move(times);
  TARRY_TRY_ASSIGN(merged, without_call_sites(std::make_unique<ReportCube>(report)));
  CubeValues values(*merged);
  read_metrics(values, options, names, read);
  read.run.parts = time_parts(values);
  return read;
}

// Nothing if --where does not accept it.
Result<std::optional<ReadRun>> read_run(const std::string& input, const RunFilter& filter, const ScaleOptions& options,
                                        NameIndex& names) {
  TARRY_TRY_ASSIGN(path, report_to_read(input));
  TARRY_TRY_ASSIGN(report, read_cubex(path));
  TARRY_TRY_ASSIGN(parameters, noted_parameters(report.structure, input));
  if (!filter.accepts(facts_of_report(report.structure, input, parameters))) return std::optional<ReadRun>();
  TARRY_TRY_ASSIGN(read, read_report_of_run(report, input, std::move(parameters), options, names));
  return std::optional<ReadRun>(std::move(read));
}

// Traces one after the other, each by all workers: they may be large.
void read_ideal_networks(std::vector<ReadRun>& runs, const ScaleOptions& options) {
  if (!options.reads_traces) return;
  for (ReadRun& read : runs) {
    const auto transfer = transfer_efficiency(read.run.input, {.workers = options.workers, .memory = options.memory});
    if (!transfer.ok()) log_warning(transfer.error().text());
    else if (transfer.value()) read.run.times.ideal = *transfer.value() * read.run.times.runtime;
  }
}

Result<std::vector<ReadRun>> read_named_runs(const RunFilter& filter, const ScaleOptions& options, NameIndex& names) {
  std::vector<std::optional<Result<std::optional<ReadRun>>>> results(options.runs.size());
  run_parallel(options.workers ? options.workers : available_processors(), options.runs.size(),
               [&](std::size_t i) { results[i] = read_run(options.runs[i], filter, options, names); });
  std::vector<ReadRun> read;
  for (auto& result : results) {
    if (!result->ok()) return result->error();
    if (result->value()) read.push_back(std::move(*result->value()));
  }
  read_ideal_networks(read, options);
  return read;
}

Result<std::vector<ReadRun>> read_stored_runs(const RunFilter& filter, const ScaleOptions& options, NameIndex& names) {
  TARRY_TRY_ASSIGN(database, open_store(options.store, StoreAccess::kRead));
  auto found = options.runs.empty() ? find_runs(*database, &filter) : named_runs(*database, options.runs);
  if (!found.ok()) return found.error();
  TARRY_TRY_ASSIGN(transfers, find_efficiency(*database, "transfer"));
  std::map<std::int64_t, double> transfer_of;
  for (const RunValue& transfer : transfers) transfer_of[transfer.run] = transfer.value;
  std::vector<ReadRun> read;
  for (const StoredRun& stored : found.value()) {
    if (!filter.accepts(stored)) continue;
    TARRY_TRY_ASSIGN(cube, StoredCube::open(*database, stored.id));
    const std::string input = "run " + std::to_string(stored.id);
    TARRY_TRY_ASSIGN(parameters, noted_parameters(cube->structure(), input));
    for (const auto& [name, value] : stored.parameters) parameters[name] = value;
    TARRY_TRY_ASSIGN(run, read_report_of_run(load_report(*cube), input, std::move(parameters), options, names));
    if (!cube->damage().empty()) return Error{input, cube->damage()[0], "tarry store verify tells more"};
    if (const auto transfer = transfer_of.find(stored.id); transfer != transfer_of.end())
      run.run.times.ideal = transfer->second * run.run.times.runtime;
    read.push_back(std::move(run));
  }
  return read;
}

// The value in each run, or nothing if one of them has no number above 0.
std::optional<std::vector<double>> numbers_of(const std::vector<ReadRun>& runs, const std::string& name) {
  std::vector<double> numbers;
  for (const ReadRun& read : runs) {
    const auto found = read.parameters.find(name);
    const auto number = found == read.parameters.end() ? std::nullopt : positive_number(found->second);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

// A parameter that is no number must be the same in all runs.
Status set_parameters(std::vector<ReadRun>& runs) {
  std::map<std::string, std::set<std::string>> texts;
  for (const ReadRun& read : runs)
    for (const auto& [name, text] : read.parameters) texts[name].insert(text);
  for (const auto& [name, values] : texts) {
    if (const auto numbers = numbers_of(runs, name)) {
      for (std::size_t i = 0; i < runs.size(); ++i) runs[i].run.parameters[name] = (*numbers)[i];
    } else if (values.size() > 1) {
      return Error{"parameter " + name, "differs between the runs and is no number above 0 in all of them",
                   "choose runs: --where '" + name + " = " + *values.begin() + "'"};
    }
  }
  return {};
}

// Runs without a metric are left out of its models: a report without it does not say that it is 0.
Status check_metrics(const std::vector<ReadRun>& runs, const ScaleOptions& options) {
  for (const std::string& name : options.metrics) {
    const auto lacking = static_cast<std::size_t>(
        std::count_if(runs.begin(), runs.end(), [&](const ReadRun& read) { return !read.run.values.contains(name); }));
    if (lacking == runs.size())
      return Error{"--metric " + name, "no run has it", "tarry cube info lists the metrics of a report"};
    if (lacking > 0)
      log_warning(format_count(lacking, "run") + " of " + std::to_string(runs.size()) + " without the metric " + name +
                  ": its models leave them out");
  }
  return {};
}

std::vector<std::string> time_metrics_of(const std::vector<ReadRun>& runs, const ScaleOptions& options) {
  const std::vector<std::string> asked =
      options.metrics.empty() ? std::vector<std::string>(std::begin(kUsualMetrics), std::end(kUsualMetrics))
                              : options.metrics;
  std::vector<std::string> times;
  for (const std::string& name : asked)
    if (std::any_of(runs.begin(), runs.end(), [&](const ReadRun& read) { return read.time_metrics.contains(name); }) &&
        std::find(times.begin(), times.end(), name) == times.end())
      times.push_back(name);
  return times;
}

void sort_names(ScaleRuns& study, NameIndex& names) {
  const std::vector<std::uint32_t> sorted = names.sort(study.names);
  for (ScaleRun& run : study.runs) {
    for (auto& [metric, values] : run.values) {
      for (auto& [name, value] : values) name = sorted[name];
      std::sort(values.begin(), values.end());
    }
  }
}

}  // namespace

std::optional<double> ScaleRun::value(const std::string& metric, std::uint32_t name) const {
  const auto found = values.find(metric);
  if (found == values.end()) return std::nullopt;
  const auto place = std::lower_bound(found->second.begin(), found->second.end(), name,
                                      [](const auto& left, std::uint32_t right) { return left.first < right; });
  if (place == found->second.end() || place->first != name) return std::nullopt;
  return place->second;
}

Result<ScaleRuns> read_scale_runs(const ScaleOptions& options) {
  TARRY_TRY_ASSIGN(filter, RunFilter::parse(options.where));
  NameIndex names;
  auto found =
      options.store.empty() ? read_named_runs(filter, options, names) : read_stored_runs(filter, options, names);
  if (!found.ok()) return found.error();
  std::vector<ReadRun> read = std::move(found.value());
  if (read.empty()) return Error{options.store.empty() ? "--where" : options.store, "no run is chosen", "name runs"};
  TARRY_TRY(set_parameters(read));
  TARRY_TRY(check_metrics(read, options));
  ScaleRuns study;
  study.time_metrics = time_metrics_of(read, options);
  for (ReadRun& one : read) study.runs.push_back(std::move(one.run));
  sort_names(study, names);
  return study;
}

Result<std::vector<MeasuredSeries>> series_of_runs(const ScaleRuns& study) {
  std::vector<std::string> parameters = {kProcesses, kThreads};
  for (const auto& [name, value] : study.runs[0].parameters)
    if (name != kProcesses && name != kThreads) parameters.push_back(name);
  std::map<std::string, std::set<std::uint32_t>> visited;  // by metric
  for (const ScaleRun& run : study.runs)
    for (const auto& [metric, values] : run.values)
      for (const auto& [name, value] : values) visited[metric].insert(name);
  SeriesBuilder builder(parameters);
  for (const ScaleRun& run : study.runs) {
    std::vector<std::optional<double>> at;
    for (const std::string& name : parameters) at.push_back(run.parameters.at(name));
    for (const auto& [metric, values] : run.values)
      for (const std::uint32_t name : visited[metric])
        builder.add(study.names[name], metric, at, run.value(metric, name).value_or(0));
  }
  return builder.finish("the runs");
}

}  // namespace tarry

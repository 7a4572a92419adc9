// run.cpp -- one run of tarry-replay, from the trace to the written report.
#include "run.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <thread>

#include "analysis/analysis.hpp"
#include "archive/archive.hpp"
#include "archive/names.hpp"
#include "archive/open_source.hpp"
#include "archive/provenance.hpp"
#include "base/cli.hpp"
#include "base/file.hpp"
#include "base/format.hpp"
#include "base/log.hpp"
#include "base/worker_pool.hpp"
#include "clock_check.hpp"
#include "exchange/agreed.hpp"
#include "exchange/process_budget.hpp"
#include "report/cubex_writer.hpp"
#include "report/instance_files.hpp"
#include "write_instances.hpp"
#include "watched_source.hpp"
#include "write_report.hpp"

namespace tarry {
namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;
constexpr std::uint64_t kBytesPerResult = 100;  // of a call path and thread, in about a dozen metrics

std::uint64_t peak_memory() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

std::string format_mebibytes(std::uint64_t bytes) {
  return std::to_string((bytes + kMebibyte - 1) / kMebibyte) + " MiB";
}

std::string report_path(const ReplayOptions& options) {
  if (!options.output.empty()) return options.output;
  const std::string name = options.is_compat ? names::kAnalysisCompat : names::kAnalysis;
  return is_archive(options.input) ? options.input + "/" + name : name;
}

// Adds what the other analysis processes found damaged to the log of process 0.
void gather_faults(FaultLog& faults, Exchange& exchange) {
  if (exchange.size() == 1) return;
  MessageBuffer buffer;
  if (exchange.rank() != 0) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(Fault::kCount); ++k)
      buffer.put(faults.count(static_cast<Fault>(k)));
    const auto places = faults.places();
    buffer.put<std::uint64_t>(places.size());
    for (const FaultLog::Place& place : places) {
      buffer.put(place.fault);
      buffer.put_text(place.location);
      buffer.put(place.position);
      buffer.put_text(place.detail);
    }
  }
  const std::vector<MessageBuffer> arrived = exchange.gather(std::move(buffer));
  for (std::size_t p = 1; p < arrived.size(); ++p) {
    MessageBuffer from = arrived[p];
    std::vector<std::uint64_t> left(static_cast<std::size_t>(Fault::kCount));
    for (std::uint64_t& count : left) count = from.get<std::uint64_t>();
    for (auto places = from.get<std::uint64_t>(); places > 0; --places) {
      const auto fault = from.get<Fault>();
      const std::string location = from.get_text();
      const auto position = from.get<std::uint64_t>();
      const std::string detail = from.get_text();
      // The first place of a kind carries the count of those that have no place.
      std::uint64_t& count = left[static_cast<std::size_t>(fault)];
      faults.add(fault, location, position, detail, count);
      count = 0;
    }
  }
}

// analysis.cubex -> analysis-instances.csv
std::string table_path(const std::string& report, const char* table) {
  const std::size_t stem = report.ends_with(".cubex") ? report.size() - 6 : report.size();
  return report.substr(0, stem) + "-" + table;
}

// The tables stand beside the report, too, unless it goes to stdout, a pipe or a device.
Status write_tables(const ReplayOptions& options, const Report& report, const std::string& path) {
  std::error_code unknown;
  if (options.instances == 0 || path == "-" || !std::filesystem::is_regular_file(path, unknown)) return {};
  for (const char* table : {kInstancesFile, kStatisticsFile})
    TARRY_TRY(write_file(table_path(path, table), std::string_view(file_text(report, table))));
  return {};
}

// Tables of an analysis before would be taken for those of this one. In an archive they are ours to remove.
void settle_old_tables(const ReplayOptions& options, const std::string& path) {
  if (options.instances > 0 || path == "-") return;
  const bool is_ours = is_archive(options.input) && options.output.empty();
  for (const char* table : {kInstancesFile, kStatisticsFile}) {
    const std::string file = table_path(path, table);
    std::error_code failure;
    if (!path_exists(file) || (is_ours && std::filesystem::remove(file, failure))) continue;
    log_warning(file + ": is of an earlier analysis (delete it, or replay with --instances)");
  }
}

// Somebody has closed the recording: the run has definitions.
bool is_finished(const std::string& archive) { return path_exists(archive + "/" + names::kDefinitions); }

Status write_and_record(const ReplayOptions& options, const Report& report, const std::string& path) {
  StageRecorder stage("replay", options.command);
  TARRY_TRY(write_cubex(report, path));
  TARRY_TRY(write_tables(options, report, path));
  settle_old_tables(options, path);
  if (!is_archive(options.input) || !options.keeps_provenance || !options.output.empty()) return {};
  if (!is_finished(options.input)) return {};
  stage.add_input(names::kDefinitions);
  stage.add_output(options.is_compat ? names::kAnalysisCompat : names::kAnalysis);
  return stage.add_to_archive(options.input);
}

Status check_paths(const ReplayOptions& options, const std::string& path) {
  std::vector<std::string> files = {path, options.critical_path};
  if (options.instances > 0)
    for (const char* table : {kInstancesFile, kStatisticsFile}) files.push_back(table_path(path, table));
  for (const std::string& file : files)
    if (file != "-" && is_input_file(options.input, file))
      return Error{file, "is the input and will not be overwritten", "name another file"};
  if (is_archive(options.input) && is_being_recorded(options.input))
    log_warning(options.input + ": is still being recorded; the report covers what is on disk");
  else if (is_archive(options.input) && !is_finished(options.input) && why_nothing_recorded(options.input).empty())
    log_warning(options.input + ": its recording was not finished; 'tarry unify " + options.input +
                "' does that, and the manifest will name the analysis if you replay again then");
  return {};
}

Result<std::unique_ptr<Source>> open_everywhere(const std::string& input, Exchange& exchange) {
  return agreed(open_source(input),
                {input, "another analysis process cannot read it", "it must be visible on all nodes"}, exchange);
}

// Of the locations that this process will read, as far as the definitions tell.
std::uint64_t expected_events(const Definitions& definitions, const Exchange& exchange) {
  std::uint64_t events = 0;
  for (const Location& location : definitions.locations) events += location.event_count;
  return events / static_cast<std::uint64_t>(exchange.size());
}

TimeSelector selector_of(const TimeSelection& selection) {
  if (!selection.is_partial()) return {};
  return [&selection](std::span<const LocationId> locations) { return selection.of_process(locations); };
}

// Whether the selected part of the trace has any event here.
bool counts_anything(const Trace& trace) {
  for (const LogicalRank& rank : trace.ranks())
    for (const LogicalThread& thread : rank.threads)
      if (!thread.selected || thread.selected->overlap(thread.first_time, thread.last_time + 1) > 0) return true;
  return false;
}

std::size_t count_processes(const Results& results) {
  return static_cast<std::size_t>(std::count_if(results.threads.begin(), results.threads.end(),
                                                [](const AnalysedThread& thread) { return thread.is_master(); }));
}

// Where --memory was not enough: what would be, and what takes it.
std::string memory_warning(std::uint64_t limit, const MemoryBudget* budget, unsigned workers, const Report& report) {
  const std::uint64_t most = peak_memory();
  if (!budget || most <= limit) return "";
  const std::size_t call_paths = report.structure.call_paths.size(), threads = report.structure.locations.size();
  const bool are_results = call_paths * threads * kBytesPerResult >= limit / 4;
  return "--memory: " + format_mebibytes(most) + " were used, as " +
         (are_results ? "the results of " + format_count(call_paths, "call path") + " and " +
                            format_count(threads, "thread") + " need them"
                      : format_count(workers, "worker") + " need " +
                            format_mebibytes(budget->most_elsewhere() + budget->least()) + " at least");
}

// What the report covers, if it is not everything.
std::string covered_part(const ReplayOptions& options) {
  std::string text;
  if (!options.window_text.empty()) text += "seconds " + options.window_text + " of the run";
  if (!options.phase.empty()) text += (text.empty() ? "" : ", ") + ("visits of " + options.phase);
  if (!options.patterns.empty()) text += (text.empty() ? "" : ", ") + ("metrics " + options.patterns);
  return text;
}

}  // namespace

Result<int> run_replay(const ReplayOptions& options, Exchange& exchange) {
  const bool is_first = exchange.rank() == 0;
  const auto begin = std::chrono::steady_clock::now();
  const std::string path = report_path(options);
  TARRY_TRY(check_paths(options, path));
  TARRY_TRY_ASSIGN(budget, process_budget(options.memory, exchange));
  TARRY_TRY_ASSIGN(source, open_everywhere(options.input, exchange));
  if (source->definitions().locations.empty())
    return Error{options.input, "holds no events", "record a trace with 'tarry measure -t'"};

  // Phases are looked for through a source of their own: what is damaged counts once.
  std::unique_ptr<Source> phase_source;
  if (!options.phase.empty()) {
    TARRY_TRY_ASSIGN(opened, open_everywhere(options.input, exchange));
    phase_source = std::move(opened);
  }
  Progress progress(STDERR_FILENO, is_first && Progress().is_shown());
  progress.begin("reading events", expected_events(source->definitions(), exchange) * (options.phase.empty() ? 1 : 2));
  WatchedSource watched(*source, progress);
  WatchedSource watched_phases(phase_source ? *phase_source : *source, progress);
  TARRY_TRY_ASSIGN(selection, TimeSelection::create(watched_phases, options.window, options.phase));
  const unsigned workers = workers_within(options.memory, options.workers ? options.workers : available_processors());
  const Compatibility compatibility = options.is_compat ? Compatibility::reference() : Compatibility::none();
  auto trace = std::make_unique<Trace>(watched, exchange, workers, selector_of(selection),
                                       compatibility.kept_details(), budget.get());
  std::uint64_t events = 0;
  for (const LogicalRank& rank : trace->ranks())
    for (const LogicalThread& thread : rank.threads) events += thread.event_count;
  if (exchange.all_of(!counts_anything(*trace)) && trace->is_partial())
    return Error{options.input, "has nothing in the " + covered_part(options), "'tarry report' tells how long it is"};
  const AnalysisOptions wanted{.compatibility = compatibility,
                               .instances = options.instances,
                               .metrics = options.metrics,
                               .wants_counters = !options.is_compat && options.patterns.empty(),
                               .wants_path = !options.critical_path.empty(),
                               .progress = &progress};
  progress.begin("matching messages");
  if (needs_messages(wanted)) match_messages(*trace, compatibility.match_order());
  LockLogs locks = trace->take_locks();
  AnalysisResult result = analyse(*trace, std::move(locks), wanted);
  const std::string clocks = clock_warning(*trace, options.input);
  progress.begin("writing the report");
  if (budget) budget->clear_memory();  // the report takes memory of another kind
  gather_faults(source->faults(), exchange);
  const std::uint64_t messages = exchange.total_messages();
  if (!is_first) return kExitDone;
  if (result.results.threads.empty()) return Error{options.input, "no event of it can be read", "try 'tarry archive verify'"};

  const std::string faults = source->faults().summary();
  const std::string critical_path = std::move(result.critical_path);
  const std::size_t processes = count_processes(result.results);
  Report report = make_report(trace->definitions(), trace->regions(), std::move(result), faults, workers);
  if (const std::string part = covered_part(options); !part.empty())
    report.structure.attributes.push_back({kCoveredAttribute, part});
  // The disk is slow: meanwhile the memory of the trace is released.
  const std::jthread release([&] {
    trace.reset();
    source.reset();
  });
  TARRY_TRY(write_and_record(options, report, path));
  if (!options.critical_path.empty()) TARRY_TRY(write_file(options.critical_path, std::string_view(critical_path)));
  progress.wipe();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  if (path != "-")
    log_info(format_count(processes, "process", "processes") + " analysed in " + format_seconds(elapsed.count()) +
             "; next: tarry report " + (options.output.empty() && is_archive(options.input) ? options.input : path));
  log_detail(format_count(events, "event") + " here, " + format_count(messages, "message") + " between " +
             format_count(static_cast<std::uint64_t>(exchange.size()), "analysis process", "analysis processes"));
  if (!clocks.empty()) log_warning(clocks);
  const std::string memory = memory_warning(options.memory, budget.get(), workers, report);
  if (!memory.empty()) log_warning(memory);
  if (faults.empty()) return kExitDone;
  log_warning(options.input + ": " + faults);
  return options.is_strict ? kExitFailed : kExitDone;
}

}  // namespace tarry

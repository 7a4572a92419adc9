// run.cpp -- one run of tarry-replay, from the trace to the written report.
#include "run.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>

#include "analysis/analysis.hpp"
#include "analysis/clock_check.hpp"
#include "analysis/writing/ended_early.hpp"
#include "archive/archive.hpp"
#include "archive/reading/open_source.hpp"
#include "base/tool/cli.hpp"
#include "base/files/file.hpp"
#include "base/text/format.hpp"
#include "base/tool/log.hpp"
#include "base/processes/worker_pool.hpp"
#include "exchange/agreed.hpp"
#include "exchange/process_budget.hpp"
#include "replay/gather_faults.hpp"
#include "report_files.hpp"
#include "unreceived.hpp"
#include "watched_source.hpp"
#include "analysis/writing/write_report.hpp"

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

std::uint64_t count_events(const Trace& trace) {
  std::uint64_t events = 0;
  for (const LogicalRank& rank : trace.ranks())
    for (const LogicalThread& thread : rank.threads) events += thread.event_count;
  return events;
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

// What the user may not expect of the time series; may be empty.
std::string about_series(const IterationTable& table, const std::string& wanted) {
  if (wanted.empty()) return "";  // the report tells it
  if (table.rows.empty()) return "--iterations: '" + wanted + "' was never visited";
  std::uint64_t most = 0;
  for (const IterationRange& row : table.rows) most = std::max(most, row.count);
  if (most < 2) return "";
  return "the time series of '" + table.region + "' has " + std::to_string(most) +
         " iterations in each row, as there are too many (--window selects a part of the run)";
}

Error no_events(const std::string& input) {
  return {input, "holds no events", "record a trace with 'tarry measure -t'"};
}

// What the report covers, if it is not everything.
std::string covered_part(const ReplayOptions& options) {
  std::string text;
  if (!options.window_text.empty()) text += "seconds " + options.window_text + " of the run";
  if (!options.phase.empty()) text += (text.empty() ? "" : ", ") + ("visits of " + options.phase);
  if (!options.patterns.empty()) text += (text.empty() ? "" : ", ") + ("metrics " + options.patterns);
  return text;
}

class ReplayRun {
 public:
  ReplayRun(const ReplayOptions& options, Exchange& exchange) : options_(options), exchange_(exchange) {}

  Result<int> run() {
    TARRY_TRY(open());
    TARRY_TRY(read_trace());
    analyse_trace();
    if (!is_first_) return kExitDone;
    if (analysis_.results.threads.empty())
      return Error{options_.input, "no event of it can be read", "try 'tarry archive verify'"};
    TARRY_TRY(write());
    return tell();
  }

 private:
  Status open() {
    TARRY_TRY(check_output(options_, path_));
    TARRY_TRY_ASSIGN(budget, process_budget(options_.memory, exchange_));
    budget_ = std::move(budget);
    TARRY_TRY_ASSIGN(source, open_everywhere(options_.input, exchange_));
    source_ = std::move(source);
    if (source_->definitions().locations.empty()) return no_events(options_.input);
    // Phases are looked for through a source of their own: what is damaged counts once.
    if (options_.phase.empty()) return {};
    TARRY_TRY_ASSIGN(phase_source, open_everywhere(options_.input, exchange_));
    phase_source_ = std::move(phase_source);
    return {};
  }

  Result<IterationMarks> find_iterations() const {
    if (options_.is_compat) return IterationMarks();
    if (!options_.iterations.empty()) return IterationMarks::find(source_->definitions(), options_.iterations);
    return IterationMarks::of_marked_loop(source_->definitions());
  }

  Status read_trace() {
    TARRY_TRY_ASSIGN(iterations, find_iterations());
    iterations_ = std::move(iterations);
    KeptDetails details = compatibility_.kept_details();
    details.iterations = &iterations_;
    details.queues = compatibility_.has_device_waits();
    const std::uint64_t events = expected_events(source_->definitions(), exchange_);
    progress_.begin("reading events", phase_source_ ? 2 * events : events);
    WatchedSource watched_phases(phase_source_ ? *phase_source_ : *source_, progress_);
    TARRY_TRY_ASSIGN(selection, TimeSelection::create(watched_phases, options_.window, options_.phase));
    watched_.emplace(*source_, progress_);
    trace_ = std::make_unique<Trace>(*watched_, exchange_, workers_, selector_of(selection), details, budget_.get());
    events_ = count_events(*trace_);
    if (exchange_.all_of(!counts_anything(*trace_)) && trace_->is_partial())
      return Error{options_.input, "has nothing in the " + covered_part(options_),
                   "'tarry report' tells how long it is"};
    return {};
  }

  void analyse_trace() {
    const AnalysisOptions wanted{.compatibility = compatibility_,
                                 .instances = options_.instances,
                                 .metrics = options_.metrics,
                                 .wants_counters = !options_.is_compat && options_.patterns.empty(),
                                 .wants_messages = !options_.is_compat && options_.patterns.empty(),
                                 .wants_causes = !options_.is_compat && options_.patterns.empty(),
                                 .wants_path = !options_.critical_path.empty(),
                                 .iterations = &iterations_,
                                 .progress = &progress_};
    progress_.begin("matching messages");
    if (needs_messages(wanted)) match_messages(*trace_, compatibility_.match_order());
    LockLogs locks = trace_->take_locks();
    analysis_ = analyse(*trace_, std::move(locks), wanted).result;
    clocks_ = clock_warning(*trace_, options_.input);
    early_ends_ = tell_early_ends(*trace_);
    progress_.begin("writing the report");
    if (budget_) budget_->clear_memory();  // the report takes memory of another kind
    gather_faults(source_->faults(), exchange_);
    messages_ = exchange_.total_messages();
  }

  Status write() {
    unreceived_ = covered_part(options_).empty() ? unreceived_messages(options_.input, source_->faults()) : "";
    faults_ = unreceived_.empty() ? source_->faults().summary() : "";
    if (!early_ends_.empty()) faults_ = early_ends_ + (faults_.empty() ? "" : "; " + faults_);
    processes_ = count_processes(analysis_.results);
    series_ = about_series(analysis_.iterations, options_.iterations);
    const std::string critical_path = std::move(analysis_.critical_path);
    report_ = make_report(trace_->definitions(), trace_->regions(), std::move(analysis_), faults_, workers_);
    if (report_.structure.call_paths.empty()) return why_nothing_is_known();
    if (const std::string part = covered_part(options_); !part.empty())
      report_.structure.attributes.push_back({kCoveredAttribute, part});
    if (!unreceived_.empty()) report_.structure.attributes.push_back({kUnreceivedAttribute, unreceived_});
    // The disk is slow: meanwhile the memory of the trace is released.
    const std::jthread release([this] {
      trace_.reset();
      source_.reset();
    });
    TARRY_TRY(write_output(options_, report_, path_));
    if (!options_.critical_path.empty()) TARRY_TRY(write_file(options_.critical_path, std::string_view(critical_path)));
    return {};
  }

  Error why_nothing_is_known() const {
    const auto has_events = [](const Location& location) { return location.event_count > 0; };
    if (std::ranges::none_of(trace_->definitions().locations, has_events)) return no_events(options_.input);
    return {options_.input, "has no event whose region is known",
            "its definitions are lost: 'tarry archive verify' tells what is missing"};
  }

  int tell() {
    progress_.wipe();
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin_;
    const std::string& next = options_.output.empty() && is_archive(options_.input) ? options_.input : path_;
    if (path_ != "-")
      log_info(format_count(processes_, "process", "processes") + " analysed in " + format_seconds(elapsed.count()) +
               "; next: tarry report " + next);
    const auto processes = static_cast<std::uint64_t>(exchange_.size());
    log_detail(format_count(events_, "event") + " here, " + format_count(messages_, "message") + " between " +
               format_count(processes, "analysis process", "analysis processes"));
    const std::string memory = memory_warning(options_.memory, budget_.get(), workers_, report_);
    if (!unreceived_.empty()) log_warning(options_.input + ": " + unreceived_);
    for (const std::string& warning : {clocks_, memory, series_})
      if (!warning.empty()) log_warning(warning);
    if (faults_.empty()) return kExitDone;
    log_warning(options_.input + ": " + faults_);
    return options_.is_strict ? kExitFailed : kExitDone;
  }

  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  const ReplayOptions& options_;
  Exchange& exchange_;
  const bool is_first_ = exchange_.rank() == 0;
  const std::string path_ = report_path(options_);
  const unsigned workers_ =
      workers_within(options_.memory, options_.workers ? options_.workers : available_processors());
  const Compatibility compatibility_ = options_.is_compat ? Compatibility::reference() : Compatibility::none();
  Progress progress_{STDERR_FILENO, is_first_&& Progress().is_shown()};
  // Each needs those before it.
  std::unique_ptr<MemoryBudget> budget_;
  std::unique_ptr<Source> source_, phase_source_;
  std::optional<WatchedSource> watched_;
  IterationMarks iterations_;
  std::unique_ptr<Trace> trace_;
  AnalysisResult analysis_;
  Report report_;
  // For people, when all is done.
  std::uint64_t events_ = 0, messages_ = 0;
  std::size_t processes_ = 0;
  std::string clocks_, early_ends_, faults_, unreceived_, series_;
};

}  // namespace

Result<int> run_replay(const ReplayOptions& options, Exchange& exchange) { return ReplayRun(options, exchange).run(); }

}  // namespace tarry

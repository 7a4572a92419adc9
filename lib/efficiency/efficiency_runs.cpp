// efficiency_runs.cpp -- reads runs whose efficiencies stand side by side: from traces, else from reports.
#include "efficiency/efficiency_runs.hpp"

#include <memory>
#include <utility>

#include "analysis/clock_check.hpp"
#include "efficiency/part_selection.hpp"
#include "efficiency/traced_run_times.hpp"
#include "prediction/simulation/predict.hpp"
#include "analysis/writing/ended_early.hpp"
#include "archive/archive.hpp"
#include "archive/reading/choose_report.hpp"
#include "archive/files/manifest.hpp"
#include "archive/reading/open_source.hpp"
#include "base/files/file.hpp"
#include "base/text/format.hpp"
#include "base/processes/worker_pool.hpp"
#include "exchange/process_budget.hpp"
#include "efficiency/efficiencies.hpp"
#include "findings/imbalance/processor_load.hpp"
#include "efficiency/reported_run_times.hpp"
#include "replay/matching/match_messages.hpp"
#include "report/cubex/cubex_reader.hpp"
#include "report/algebra/metric_totals.hpp"
#include "report/tree/metric_tree.hpp"

namespace tarry {
namespace {

void add_note(std::vector<std::string>& notes, std::string note) {
  if (!note.empty()) notes.push_back(std::move(note));
}

// Several threads for each processor.
void note_oversubscription(const Report& report, std::vector<std::string>& notes) {
  for (const Oversubscription& node : find_processor_load(report).oversubscription)
    notes.push_back("OVERSUBSCRIBED: " + format_count(node.threads, "thread") + " on " +
                    format_count(node.processors, "processor") + " of " + node.node +
                    ": waiting for a processor counts as computation");
}

// Functions that sleep, or wait in a way that is not recorded, are useful to POP.
void note_blocked(const Report& report, std::vector<std::string>& notes) {
  constexpr double kLeastShare = 0.01;
  const MetricId blocked = report.find_metric("blocked"), time = report.find_metric("time");
  if (!blocked.is_valid() || !time.is_valid()) return;
  const Seconds whole = total_of(report, time).whole;
  const double share = whole > 0 ? total_of(report, blocked).whole / whole : 0;
  if (share >= kLeastShare)
    notes.push_back("BLOCKED: " + format_percent(share) +
                    " of the time threads sleep, or wait in ways that are not recorded: that counts as computation");
}

void note_attributes(const Report& report, std::vector<std::string>& notes) {
  for (const auto& [key, value] : report.structure.attributes) {
    if (key == kIncompleteAttribute) notes.push_back("INCOMPLETE: " + value);
    if (key == kCoveredAttribute) notes.push_back("covers only " + value);
  }
}

Result<EfficiencyRun> from_report(const std::string& input, const std::string& path, const RunPart& part) {
  TARRY_TRY_ASSIGN(report, read_cubex(path));
  EfficiencyRun run{.input = input};
  TARRY_TRY_ASSIGN(times, reported_run_times(report, path, part));
  run.times = std::move(times);
  note_attributes(report, run.notes);
  note_oversubscription(report, run.notes);
  note_blocked(report, run.notes);
  if (part.is_whole())
    run.notes.push_back("of a report: what lies before MPI_Init and behind MPI_Finalize counts, too");
  const RunSums sums = sums_of(run.times);
  if (sums.threads > sums.processes && !find_metric(report.structure, "omp_management").is_valid())
    run.notes.push_back("of a report without omp_management: beginning and ending of teams counts as computation");
  return run;
}

// Of the archive of a trace: what its manifest and its report tell.
void note_archive(const std::string& archive, std::vector<std::string>& notes) {
  if (const auto manifest = read_manifest(archive); manifest.ok() && !manifest.value().missing.empty())
    notes.push_back("INCOMPLETE: " + manifest.value().missing);
  const std::string path = choose_report(archive);
  if (path.empty()) return;
  const auto report = read_cubex(path);
  if (!report.ok()) return;
  note_oversubscription(report.value(), notes);
  note_blocked(report.value(), notes);
}

bool has_events(const Source& source) {
  for (const Location& location : source.definitions().locations)
    if (location.event_count > 0) return true;
  return false;
}

Result<EfficiencyRun> times_of_trace(const Trace& trace, const std::string& input,
                                     const EfficiencyRunOptions& options) {
  EfficiencyRun run{.input = input, .is_traced = true};
  const Machine ideal{.network = Network(), .is_like_dimemas = options.is_like_dimemas};
  TARRY_TRY_ASSIGN(times, traced_run_times(trace, input, options.part, ideal));
  run.times = std::move(times);
  const std::string early = tell_early_ends(trace);
  if (!early.empty()) run.notes.push_back("INCOMPLETE: " + early);
  if (is_directory(input)) note_archive(input, run.notes);
  add_note(run.notes, clock_warning(trace, input));
  add_note(run.notes, trace.faults().summary());
  return run;
}

Result<EfficiencyRun> from_trace(const std::string& input, Source& source, const EfficiencyRunOptions& options) {
  Exchange exchange;
  TARRY_TRY_ASSIGN(budget, process_budget(options.memory, exchange));
  const unsigned workers = workers_within(options.memory, options.workers ? options.workers : available_processors());
  TARRY_TRY_ASSIGN(part_source, open_source(input));  // what is damaged counts once
  TARRY_TRY_ASSIGN(selection, PartSelection::create(*part_source, options.part));
  const auto selector = [&selection](std::span<const LocationId> locations) { return selection.of_process(locations); };
  Trace trace(source, exchange, workers, selector, prediction_details(), budget.get());
  match_messages(trace, MatchOrder::kPosted);
  return times_of_trace(trace, input, options);
}

}  // namespace

std::optional<Result<EfficiencyRun>> efficiency_run_of(const Trace& trace, const std::string& input) {
  if (!tells_main_part(trace)) return std::nullopt;
  return times_of_trace(trace, input, {});
}

Result<EfficiencyRun> read_efficiency_run(const std::string& input, const EfficiencyRunOptions& options) {
  const bool is_trace_file = !is_directory(input) && is_otf2_anchor(input);
  if (!is_directory(input) && !is_trace_file) return from_report(input, input, options.part);
  auto source = open_source(input);
  if (source.ok() && has_events(**source)) return from_trace(input, **source, options);
  if (is_trace_file && !source.ok()) return source.error();
  if (is_trace_file) return Error{input, "holds no events", "give a trace of a run"};
  TARRY_TRY_ASSIGN(path, report_to_read(input));
  return from_report(input, path, options.part);
}

Result<std::optional<double>> transfer_efficiency(const std::string& archive, const EfficiencyRunOptions& options) {
  if (!is_directory(archive)) return std::optional<double>();
  const auto source = open_source(archive);
  if (!source.ok() || !has_events(*source.value())) return std::optional<double>();
  TARRY_TRY_ASSIGN(run, from_trace(archive, *source.value(), options));
  if (!run.times.ideal || run.times.runtime <= 0) return std::optional<double>();
  return std::optional<double>(*run.times.ideal / run.times.runtime);
}

}  // namespace tarry

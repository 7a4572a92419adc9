// sync_trace.cpp -- one run of tarry-sync: check, undo, or correct.
#include "sync/sync_trace.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "sync/align.hpp"
#include "sync/amortize.hpp"
#include "archive/archive.hpp"
#include "archive/reading/archive_source.hpp"
#include "archive/files/corrections_file.hpp"
#include "archive/writing/import_trace.hpp"
#include "archive/files/names.hpp"
#include "archive/reading/open_source.hpp"
#include "archive/files/provenance.hpp"
#include "base/tool/cli.hpp"
#include "base/text/format.hpp"
#include "base/tool/log.hpp"
#include "base/processes/worker_pool.hpp"
#include "sync/count_violations.hpp"
#include "sync/deal_edges.hpp"
#include "sync/distortion.hpp"
#include "exchange/agreed.hpp"
#include "exchange/process_budget.hpp"
#include "replay/gather_faults.hpp"
#include "replay/matching/match_messages.hpp"
#include "sync/share_curves.hpp"

namespace tarry {
namespace {

// ---- undo -----------------------------------------------------------------------------------------------------------

// The archive as it was before the first 'tarry sync'.
Status undo(const std::string& archive) {
  TARRY_TRY(check_is_archive(archive));
  TARRY_TRY_ASSIGN(manifest, read_manifest(archive));
  const std::string file = archive + "/" + names::kCorrections;
  const bool had_corrections = path_exists(file);
  if (had_corrections && ::unlink(file.c_str()) != 0) return Error{file, system_error(), ""};
  const auto is_sync = [](const StageEntry& stage) { return stage.stage == names::kSyncStage; };
  const bool was_synced = std::erase_if(manifest.stages, is_sync) > 0;
  if (was_synced) TARRY_TRY(write_manifest(archive, manifest));
  if (!had_corrections && !was_synced) {
    log_info(archive + ": has no corrections");
    return {};
  }
  log_info(archive + ": has the times as they were measured");
  for (const char* report : {names::kAnalysis, names::kAnalysisCompat})
    if (path_exists(archive + "/" + report))
      log_warning(archive + "/" + report + " may have been made with the corrections; 'tarry replay' makes a new one");
  return {};
}

// ---- correct --------------------------------------------------------------------------------------------------------

ClockLevel level_for(const ViolationCount& violations) {
  if (violations.is_within_process) return ClockLevel::kThread;
  return violations.is_within_node ? ClockLevel::kProcess : ClockLevel::kNode;
}

const char* owner_of(ClockLevel level) {
  return level == ClockLevel::kNode ? "node" : level == ClockLevel::kProcess ? "process" : "thread";
}

struct Correction {
  Corrections corrections;
  std::uint64_t ignored = 0;
  Ticks latency = 0;
};

// Twice: where clocks lie far apart, the first time compares times of different parts of the run.
std::vector<ShiftCurve> align(CrossEdges& edges, std::uint32_t clocks, Exchange& exchange, unsigned workers) {
  std::vector<ShiftCurve> aligned = align_clocks(edges, clocks, exchange, workers);
  apply_curves(edges, aligned, workers);
  const std::vector<ShiftCurve> finer = align_clocks(edges, clocks, exchange, workers);
  apply_curves(edges, finer, workers);
  for (std::uint32_t clock = 0; clock < clocks; ++clock) aligned[clock] = compose(aligned[clock], finer[clock]);
  return aligned;
}

Correction correct(Trace& trace, const Conditions& conditions, ClockLevel level, const ClockControl& control) {
  Exchange& exchange = trace.exchange();
  const unsigned workers = trace.workers();
  const double ticks_per_second = trace.definitions().clock.ticks_per_second;
  const Clocks clocks = clocks_of(trace.definitions(), level);
  CrossEdges edges = find_cross_edges(trace, conditions, clocks);
  edges.latency = estimate_latency(edges, ticks_per_second, exchange, workers);
  const std::vector<ShiftCurve> aligned = align(edges, clocks.count, exchange, workers);
  edges.latency = std::max(edges.latency, estimate_latency(edges, ticks_per_second, exchange, workers));

  const ClockBlocks blocks(trace.definitions(), clocks, exchange.size());
  const ClockBlock& own = blocks.of(exchange.rank());
  edges = deal_edges(std::move(edges), blocks, exchange);
  const LogicalTimes times = run_logical_clock(edges, own, control.gamma, exchange, workers);
  std::vector<ShiftCurve> curves = amortize(edges, own, times, control, exchange, workers);
  run_parallel(workers, curves.size(), [&](std::size_t i) { curves[i] = compose(aligned[own[i].value], curves[i]); });

  Correction result{.corrections = {}, .ignored = times.ignored, .latency = edges.latency};
  result.corrections.curves = share_curves(std::move(curves), exchange);
  for (const ClockId clock : clocks.of_location) result.corrections.clock_of.push_back(clock.value);
  return result;
}

std::string seconds_text(const Trace& trace, double ticks) {
  return format_seconds(ticks / trace.definitions().clock.ticks_per_second);
}

std::string change_text(double change) {
  char text[32];
  std::snprintf(text, sizeof text, "%+.4g%%", 100 * change);
  return text;
}

void tell(const Trace& trace, const ViolationCount& before, const ViolationCount& after, const Correction& correction,
          ClockLevel level, const Distortion& distortion) {
  std::printf("before: %s\n", before.text().c_str());
  std::printf("after:  %s\n", after.text().c_str());
  std::printf("clocks: %zu, one for each %s; least latency between them %s\n", correction.corrections.curves.size(),
              owner_of(level), seconds_text(trace, static_cast<double>(correction.latency)).c_str());
  std::printf("corrections: largest %s, mean %s; %s of %s moved\n",
              seconds_text(trace, static_cast<double>(distortion.largest_move)).c_str(),
              seconds_text(trace, distortion.mean_move()).c_str(), std::to_string(distortion.moved_events).c_str(),
              format_count(distortion.events, "event").c_str());
  std::printf("intervals between events changed by %s to %s, %s on average\n",
              change_text(distortion.least_change).c_str(), change_text(distortion.greatest_change).c_str(),
              change_text(distortion.mean_change()).substr(1).c_str());
}

// What a run before left is replaced; an archive of one clock stays as it is.
Status record(const SyncOptions& options, const std::string& archive, const Corrections& corrections, bool has_clocks) {
  const std::string file = archive + "/" + names::kCorrections;
  StageRecorder stage(names::kSyncStage, options.command);
  if (corrections.is_identity()) {
    if (path_exists(file) && ::unlink(file.c_str()) != 0) return Error{file, system_error(), ""};
    return has_clocks ? stage.add_to_archive(archive) : Status();
  }
  TARRY_TRY(write_corrections(file, corrections));
  stage.add_input(names::kDefinitions);
  stage.add_output(names::kCorrections);
  return stage.add_to_archive(archive);
}

Result<std::unique_ptr<Source>> open_everywhere(const std::string& input, bool is_corrected, Exchange& exchange) {
  OpenOptions as_measured;
  as_measured.apply_corrections = is_corrected;
  return agreed(is_archive(input) ? open_archive(input, as_measured) : open_source(input),
                {input, "another analysis process cannot read it", "it must be visible on all nodes"}, exchange);
}

class Synchroniser {
 public:
  Synchroniser(const SyncOptions& options, const std::string& input, Source& source, Exchange& exchange,
               MemoryBudget* budget)
      : options_(options),
        input_(input),
        source_(source),
        trace_(source, exchange,
               workers_within(options.memory, options.workers ? options.workers : available_processors()), {},
               {.receive_times = true}, budget) {
    match_messages(trace_, MatchOrder::kPosted);
    conditions_ = find_conditions(trace_);
    before_ = count_violations(trace_, conditions_, {});
    gather_faults(trace_.faults(), exchange);
  }

  // Returns how many violations remain.
  Result<std::uint64_t> run() {
    const bool is_first = trace_.exchange().rank() == 0;
    if (options_.is_check) {
      if (is_first) std::printf("%s\n", before_.text().c_str());
      return std::uint64_t{0};
    }
    const std::uint32_t nodes = clocks_of(trace_.definitions(), ClockLevel::kNode).count;
    if (before_.total() == 0) {
      if (is_first) {
        std::printf("%s\n", before_.text().c_str());
        TARRY_TRY(record(options_, input_, {}, nodes > 1));
        log_info(input_ + ": " + (nodes > 1 ? "its clocks agree" : "has one clock") + "; nothing is changed");
        if (!options_.plot.empty()) log_info(options_.plot + ": not written: there are no corrections to plot");
      }
      return std::uint64_t{0};
    }
    const ClockLevel level = level_for(before_);
    const Correction correction = correct(trace_, conditions_, level, options_.control);
    const ViolationCount after = count_violations(trace_, conditions_, correction.corrections);
    const Distortion distortion = measure_distortion(trace_, source_, correction.corrections);
    if (!is_first) return after.total();
    tell(trace_, before_, after, correction, level, distortion);
    TARRY_TRY(record(options_, input_, correction.corrections, nodes > 1));
    if (!options_.plot.empty())
      TARRY_TRY(write_file(options_.plot, std::string_view(plot_of(trace_.definitions(), correction.corrections))));
    if (correction.ignored > 0)
      log_warning(input_ + ": " + format_count(correction.ignored, "event") +
                  " could not wait for their causes: they depend on each other in a circle");
    return after.total();
  }

 private:
  const SyncOptions& options_;
  const std::string& input_;
  Source& source_;
  Trace trace_;
  Conditions conditions_;
  ViolationCount before_;
};

Status import_otf2(const SyncOptions& options) {
  TARRY_TRY_ASSIGN(source, open_source(options.input));
  WriterOptions writer;
  writer.stage = "import";
  writer.command = options.command;
  char* absolute = ::realpath(options.input.c_str(), nullptr);
  if (absolute) writer.inputs.push_back(absolute);
  std::free(absolute);
  return import_trace(*source, options.output, std::move(writer));
}

Status import_once(const SyncOptions& options, Exchange& exchange) {
  return agreed(exchange.rank() == 0 ? import_otf2(options) : Status(), {options.input, "was not imported", ""},
                exchange);
}

// Whether the input can be corrected.
Status check_options(const SyncOptions& options) {
  if (is_archive(options.input) && is_being_recorded(options.input))
    return Error{options.input, "is still being recorded", "wait until the run is over"};
  if (std::string why = why_nothing_recorded(options.input); !why.empty())
    return Error{options.input, std::move(why), ""};
  if (is_archive(options.input) && !options.is_check && !path_exists(options.input + "/" + names::kDefinitions))
    return Error{options.input, "its recording was not finished", "run 'tarry unify " + options.input + "' first"};
  if (!options.plot.empty() && options.plot != "-" && is_input_file(options.input, options.plot))
    return Error{options.plot, "is the input and will not be overwritten", "name another file"};
  return {};
}

}  // namespace

Result<int> run_sync(const SyncOptions& options, Exchange& exchange) {
  const bool is_first = exchange.rank() == 0;
  if (options.is_undo) {
    if (is_first) TARRY_TRY(undo(options.input));
    return kExitDone;
  }
  TARRY_TRY(agreed(check_options(options), {options.input, "another analysis process refuses it", ""}, exchange));
  TARRY_TRY_ASSIGN(budget, process_budget(options.memory, exchange));
  const std::string trace = options.output.empty() ? options.input : options.output;
  if (!options.output.empty()) TARRY_TRY(import_once(options, exchange));
  TARRY_TRY_ASSIGN(source, open_everywhere(trace, options.is_check, exchange));
  if (source->definitions().locations.empty())
    return Error{options.input, "holds no events", "record a trace with 'tarry measure -t'"};
  TARRY_TRY_ASSIGN(remaining, Synchroniser(options, trace, *source, exchange, budget.get()).run());
  if (!is_first) return kExitDone;
  const std::string faults = source->faults().summary();
  if (remaining > 0) log_warning(trace + ": " + std::to_string(remaining) + " violations remain");
  if (!faults.empty()) log_warning(trace + ": " + faults);
  if (!options.is_check) log_info("next: tarry replay " + trace);
  return options.is_strict && (remaining > 0 || !faults.empty()) ? kExitFailed : kExitDone;
}

}  // namespace tarry

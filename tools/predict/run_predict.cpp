// run_predict.cpp -- one run of tarry-predict: reads a trace, simulates it, prints what is predicted.
#include "run_predict.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

#include "prediction/simulation/predict.hpp"
#include "archive/archive.hpp"
#include "archive/reading/open_source.hpp"
#include "base/tool/cli.hpp"
#include "base/text/format.hpp"
#include "base/text/glob.hpp"
#include "base/tool/log.hpp"
#include "base/processes/worker_pool.hpp"
#include "exchange/process_budget.hpp"
#include "predicted_report.hpp"
#include "removed_delays.hpp"
#include "replay/matching/match_messages.hpp"
#include "report/cubex/cubex_writer.hpp"

namespace tarry {
namespace {

bool has_events(const Trace& trace) {
  for (const LogicalRank& rank : trace.ranks())
    for (const LogicalThread& thread : rank.threads)
      if (thread.event_count > 0) return true;
  return false;
}

bool has_region(const Trace& trace, const std::string& name) {
  for (std::size_t r = 0; r < trace.regions().size(); ++r)
    if (is_named(trace.regions().name(RegionId(r)), name)) return true;
  return false;
}

// What the machine names must be in the trace.
Status check_names(const Trace& trace, const PredictOptions& options) {
  const auto check_region = [&](const std::string& name) -> Status {
    if (has_region(trace, name)) return {};
    return Error{options.input, "has no region '" + name + "'", "'tarry report' names those that there are"};
  };
  for (const RegionFactor& scaled : options.machine.regions) TARRY_TRY(check_region(scaled.name));
  if (options.machine.balanced && !options.machine.balanced->empty())
    TARRY_TRY(check_region(*options.machine.balanced));
  for (const RankFactor& scaled : options.machine.ranks)
    if (!trace.index_of(scaled.rank).is_valid())
      return Error{options.input, "has no rank " + std::to_string(scaled.rank.value),
                   "'tarry archive info' lists them"};
  return {};
}

Status check_outcome(const SimulationOutcome& outcome, const PredictOptions& options) {
  if (!outcome.is_deadlock) return {};
  return Error{options.input,
               "the program never ends: rank " + std::to_string(outcome.sender.value) + " cannot send before rank " +
                   std::to_string(outcome.receiver.value) + " receives, and the other way round",
               "give a larger --eager-limit"};
}

// What is analysed must not be overwritten.
Status check_output(const PredictOptions& options) {
  if (options.output.empty() || options.output == "-" || !is_input_file(options.input, options.output)) return {};
  return Error{options.output, "is the input and will not be overwritten", "name another file"};
}

// Where a report goes to stdout, lines for people do not.
FILE* lines_of(const PredictOptions& options) { return options.output == "-" ? stderr : stdout; }

// The run on the changed machine, analysed; `traced`: the recorded one.
Status tell_predicted(const PredictOptions& options, const RunOutline& traced, const SimulatedTimes& times,
                      unsigned workers, MemoryBudget* budget, Exchange& exchange) {
  constexpr std::size_t kMostShown = 5;
  TARRY_TRY_ASSIGN(run, analyse_predicted(options, times, workers, budget, exchange));
  std::fputs(compare_outlines(traced, run.outline, kMostShown).c_str(), lines_of(options));
  if (!options.output.empty()) TARRY_TRY(write_cubex(run.report, options.output));
  return {};
}

std::string seconds_text(double seconds) {
  char text[64];
  std::snprintf(text, sizeof text, "%.9f", seconds);
  return text;
}

std::string written(const GainTable& table, TableFormat format) {
  switch (format) {
    case TableFormat::kJson: return gain_json(table);
    case TableFormat::kCsv: return gain_csv(table);
    case TableFormat::kText: break;
  }
  return gain_text(table);
}

Result<SimulationOutcome> print_gains(const Trace& trace, const PredictOptions& options) {
  const GainTable table = make_gain_table(trace, options.machine, *options.gains);
  TARRY_TRY(check_outcome(table.outcome, options));
  std::fputs(written(table, options.gains->format).c_str(), stdout);
  return table.outcome;
}

Result<SimulationOutcome> print_prediction(const Trace& trace, const PredictOptions& options,
                                           std::unique_ptr<SimulatedTimes>* times) {
  const auto chosen = [&](double part, double whole) { return options.is_whole ? whole : part; };
  Machine machine = options.machine;
  TARRY_TRY_ASSIGN(removed, find_removed(trace, options.input, options.is_whole, machine));
  const Prediction prediction = predict(trace, machine, times);
  TARRY_TRY(check_outcome(prediction.outcome, options));
  const double predicted = chosen(prediction.predicted, prediction.whole_predicted);
  const double recorded = chosen(prediction.recorded, prediction.whole_recorded);
  std::fprintf(lines_of(options), "predicted %s seconds (traced %s)\n", seconds_text(predicted).c_str(),
               seconds_text(recorded).c_str());
  if (prediction.longest_computation > 0)
    std::fprintf(lines_of(options), "computation of a rank %s seconds at most, %s on average\n",
                 seconds_text(prediction.longest_computation).c_str(),
                 seconds_text(prediction.mean_computation).c_str());
  if (machine.removed) {
    machine.removed.reset();
    const Prediction before = predict(trace, machine);
    std::fputs((removed + tell_gain(chosen(before.predicted, before.whole_predicted), predicted)).c_str(),
               lines_of(options));
  }
  log_detail("events move by up to " + seconds_text(prediction.largest_shift) + " s");
  return prediction.outcome;
}

}  // namespace

Result<int> run_predict(const PredictOptions& options, Exchange& exchange) {
  if (exchange.size() > 1)
    return Error{"usage", "a prediction runs on one process", "start it without mpirun; it uses all processors"};
  TARRY_TRY(check_output(options));
  TARRY_TRY_ASSIGN(budget, process_budget(options.memory, exchange));
  TARRY_TRY_ASSIGN(source, open_source(options.input));
  if (source->definitions().locations.empty())
    return Error{options.input, "holds no events", "record a trace with 'tarry measure -t'"};
  const unsigned workers = workers_within(options.memory, options.workers ? options.workers : available_processors());
  std::optional<Trace> recorded_run(std::in_place, *source, exchange, workers, TimeSelector(), prediction_details(),
                                    budget.get());
  Trace& trace = *recorded_run;
  if (!has_events(trace)) return Error{options.input, "no event of it can be read", "try 'tarry archive verify'"};
  TARRY_TRY(check_names(trace, options));
  match_messages(trace, MatchOrder::kPosted);
  std::unique_ptr<SimulatedTimes> times;
  TARRY_TRY_ASSIGN(outcome, options.gains ? print_gains(trace, options)
                                          : print_prediction(trace, options, options.analyses() ? &times : nullptr));
  if (times) {
    const RunOutline traced = outline_traced(trace);
    recorded_run.reset();
    TARRY_TRY(tell_predicted(options, traced, *times, workers, budget.get(), exchange));
  }
  if (outcome.ignored > 0)
    log_warning(options.input + ": " + format_count(outcome.ignored, "wait") +
                " left out: by the trace, processes wait for themselves");
  const std::string faults = source->faults().summary();
  if (faults.empty() && outcome.ignored == 0) return kExitDone;
  if (!faults.empty()) log_warning(options.input + ": " + faults);
  return options.is_strict ? kExitFailed : kExitDone;
}

}  // namespace tarry

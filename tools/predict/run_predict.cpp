// run_predict.cpp -- one run of tarry-predict: reads a trace, simulates it, prints what is predicted.
#include "run_predict.hpp"

#include <cstdio>
#include <memory>

#include "analysis/compatibility.hpp"
#include "analysis/simulation/predict.hpp"
#include "archive/open_source.hpp"
#include "base/cli.hpp"
#include "base/format.hpp"
#include "base/glob.hpp"
#include "base/log.hpp"
#include "base/worker_pool.hpp"
#include "exchange/process_budget.hpp"
#include "replay/match_messages.hpp"

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

Status check_outcome(const Prediction& prediction, const PredictOptions& options) {
  const SimulationOutcome& outcome = prediction.outcome;
  if (!outcome.is_deadlock) return {};
  return Error{options.input,
               "the program never ends: rank " + std::to_string(outcome.sender.value) + " cannot send before rank " +
                   std::to_string(outcome.receiver.value) + " receives, and the other way round",
               "give a larger --eager-limit"};
}

std::string seconds_text(double seconds) {
  char text[64];
  std::snprintf(text, sizeof text, "%.9f", seconds);
  return text;
}

}  // namespace

Result<int> run_predict(const PredictOptions& options, Exchange& exchange) {
  if (exchange.size() > 1)
    return Error{"usage", "a prediction runs on one process", "start it without mpirun; it uses all processors"};
  TARRY_TRY_ASSIGN(budget, process_budget(options.memory, exchange));
  TARRY_TRY_ASSIGN(source, open_source(options.input));
  if (source->definitions().locations.empty())
    return Error{options.input, "holds no events", "record a trace with 'tarry measure -t'"};
  const unsigned workers = workers_within(options.memory, options.workers ? options.workers : available_processors());
  Trace trace(*source, exchange, workers, {}, Compatibility::none().kept_details(), budget.get());
  if (!has_events(trace)) return Error{options.input, "no event of it can be read", "try 'tarry archive verify'"};
  TARRY_TRY(check_names(trace, options));
  match_messages(trace, MatchOrder::kPosted);
  const Prediction prediction = predict(trace, options.machine);
  TARRY_TRY(check_outcome(prediction, options));
  const double predicted = options.is_whole ? prediction.whole_predicted : prediction.predicted;
  const double recorded = options.is_whole ? prediction.whole_recorded : prediction.recorded;
  std::printf("predicted %s seconds (traced %s)\n", seconds_text(predicted).c_str(), seconds_text(recorded).c_str());
  if (prediction.longest_computation > 0)
    std::printf("computation of a rank %s seconds at most, %s on average\n",
                seconds_text(prediction.longest_computation).c_str(),
                seconds_text(prediction.mean_computation).c_str());
  log_detail("events move by up to " + seconds_text(prediction.largest_shift) + " s");
  if (prediction.outcome.ignored > 0)
    log_warning(options.input + ": " + format_count(prediction.outcome.ignored, "wait") +
                " left out: by the trace, processes wait for themselves");
  const std::string faults = source->faults().summary();
  if (faults.empty() && prediction.outcome.ignored == 0) return kExitDone;
  if (!faults.empty()) log_warning(options.input + ": " + faults);
  return options.is_strict ? kExitFailed : kExitDone;
}

}  // namespace tarry

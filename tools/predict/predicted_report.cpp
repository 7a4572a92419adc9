// predicted_report.cpp -- the trace is read once more, at the predicted times, and analysed as tarry replay does.
#include "predicted_report.hpp"

#include "analysis/analysis.hpp"
#include "analysis/writing/ended_early.hpp"
#include "analysis/writing/write_report.hpp"
#include "archive/reading/open_source.hpp"
#include "read_machine.hpp"
#include "replay/gather_faults.hpp"
#include "replay/matching/match_messages.hpp"

namespace tarry {
namespace {

// Where nobody wants the report, only what the outline needs.
AnalysisOptions wanted_analysis(bool has_report, const IterationMarks* iterations) {
  if (has_report) return {.iterations = iterations};
  return {.metrics = outline_metrics(), .wants_counters = false, .wants_messages = false, .wants_causes = false};
}

std::string faults_of(const Trace& trace) {
  std::string faults = trace.faults().summary();
  if (const std::string early = tell_early_ends(trace); !early.empty())
    faults = early + (faults.empty() ? "" : "; " + faults);
  return faults;
}

}  // namespace

RunOutline outline_traced(Trace& trace) {
  LockLogs locks = trace.take_locks();
  return outline_of(trace, analyse(trace, std::move(locks), wanted_analysis(false, nullptr)).result);
}

Result<PredictedRun> analyse_predicted(const PredictOptions& options, const SimulatedTimes& times, unsigned workers,
                                       MemoryBudget* budget, Exchange& exchange) {
  const bool has_report = !options.output.empty();
  TARRY_TRY_ASSIGN(source, open_source(options.input));
  const IterationMarks iterations = IterationMarks::of_marked_loop(source->definitions());
  const Compatibility compatibility = Compatibility::none();
  KeptDetails details = compatibility.kept_details();
  details.iterations = &iterations;
  details.retiming = &times;
  details.queues = true;
  Trace trace(*source, exchange, workers, {}, details, budget);
  match_messages(trace, compatibility.match_order());
  LockLogs locks = trace.take_locks();
  AnalysisResult result = analyse(trace, std::move(locks), wanted_analysis(has_report, &iterations)).result;
  PredictedRun run{.outline = outline_of(trace, result), .report = {}};
  if (!has_report) return run;
  if (budget) budget->clear_memory();  // the report takes memory of another kind
  gather_faults(source->faults(), exchange);
  run.report = make_report(trace.definitions(), trace.regions(), std::move(result), faults_of(trace), workers);
  auto& attributes = run.report.structure.attributes;
  attributes.push_back({kPredictedAttribute, describe(options.machine)});
  attributes.push_back({kPredictedOfAttribute, options.input});
  return run;
}

}  // namespace tarry

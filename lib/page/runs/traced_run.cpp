// traced_run.cpp -- the trace of a run, read and analysed once for all that the page tells of it.
#include "page/runs/traced_run.hpp"

#include <algorithm>

#include "analysis/clock_check.hpp"
#include "prediction/simulation/predict.hpp"
#include "analysis/timeline/run_timeline.hpp"
#include "archive/reading/open_source.hpp"
#include "base/processes/worker_pool.hpp"
#include "prediction/listed_delays.hpp"
#include "replay/matching/match_messages.hpp"
#include "page/runs/trace_match.hpp"

namespace tarry {
namespace {

std::uint64_t recorded_events(const Definitions& definitions) {
  std::uint64_t events = 0;
  for (const Location& location : definitions.locations) events += location.event_count;
  return events;
}

AnalysisOptions wanted_analysis(const TraceRequest& request) {
  AnalysisOptions wanted = options_for_delays();
  wanted.instances = request.wants_timeline ? kWaitsInTimeline : 0;
  wanted.wants_stretches = request.wants_timeline;
  return wanted;
}

}  // namespace

Result<std::unique_ptr<TracedRun>> TracedRun::read(const ExploredRun& run, const TraceRequest& request) {
  auto traced = std::make_unique<TracedRun>();
  TARRY_TRY_ASSIGN(source, open_source(run.trace()));
  if (source->definitions().locations.empty()) return std::unique_ptr<TracedRun>();
  const bool is_in_vain = !request.wants_timeline && !request.what_ifs;
  if (is_in_vain && recorded_events(source->definitions()) > kEventsOfShortTrace) return std::unique_ptr<TracedRun>();
  traced->locations_ = match_locations(run.structure(), source->definitions());
  if (std::ranges::find(traced->locations_, kNotOnPage) != traced->locations_.end())
    return Error{run.trace(), "is not the trace of " + run.path(), "analyse it with 'tarry replay'"};
  const unsigned workers = request.workers ? request.workers : available_processors();
  KeptDetails details = prediction_details();
  details.visit_logs = request.wants_timeline;
  details.main_part = true;
  details.queues = has_queues(run.structure());
  traced->input_ = run.trace();
  traced->source_ = std::move(source);
  traced->trace_ = std::make_unique<Trace>(*traced->source_, traced->exchange_, workers, TimeSelector(), details);
  match_messages(*traced->trace_, MatchOrder::kPosted);
  const Trace& trace = *traced->trace_;
  traced->analysis_ = std::make_unique<Analysis>(analyse(trace, trace.copy_locks(), wanted_analysis(request)));
  traced->paths_ =
      match_paths(run, trace.definitions(), trace.regions(), traced->analysis_->unified.tree, request.is_redacted);
  return traced;
}

std::vector<std::string> TracedRun::notes(const std::string& name) const {
  std::vector<std::string> notes;
  if (std::string clocks = clock_warning(*trace_, input_); !clocks.empty()) {
    // Redacted names have no folders.
    for (std::size_t at = 0; (at = clocks.find(input_, at)) != std::string::npos; at += name.size())
      clocks.replace(at, input_.size(), name);
    notes.push_back("Clocks: " + clocks);
  }
  if (const std::string faults = source_->faults().summary(); !faults.empty()) notes.push_back("Damaged: " + faults);
  return notes;
}

std::uint64_t TracedRun::events() const {
  std::uint64_t events = 0;
  for (const LogicalRank& rank : trace_->ranks())
    for (const LogicalThread& thread : rank.threads) events += thread.event_count;
  return events;
}

}  // namespace tarry

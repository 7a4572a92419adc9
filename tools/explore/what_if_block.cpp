// what_if_block.cpp -- what a run would gain if its delays and heaviest regions took less time.
#include "what_if_block.hpp"

#include "prediction/gain_table.hpp"
#include "report/redacted_cube.hpp"
#include "replay/unified_tree.hpp"
#include "trace_match.hpp"

namespace tarry {
namespace {

// So many go through a trace together; more would make the page of a longer one take several times as long as a replay.
constexpr std::size_t kUsualRows = 10, kFewRows = 2;
constexpr std::uint64_t kEventsOfUsualRows = 100'000;

// Call paths by number, files without folders.
void redact(const ExploredRun& run, const TracedRun& traced, GainTable& table) {
  const Trace& trace = traced.trace();
  const std::vector<std::uint32_t> paths =
      match_paths(run, trace.definitions(), trace.regions(), unify_call_trees(trace).tree, true);
  for (GainRow& row : table.rows) {
    row.name = without_folders(row.name);
    if (!row.delay) continue;
    row.delay->file.erase(0, row.delay->file.rfind('/') + 1);
    row.delay->path_text = row.delay->paths.empty() ? "" : "@" + std::to_string(paths[row.delay->paths[0]]);
  }
}

}  // namespace

std::size_t usual_rows(const TracedRun& traced) {
  return traced.events() <= kEventsOfUsualRows ? kUsualRows : kFewRows;
}

bool are_predictions_quick(const TracedRun& traced) { return traced.events() <= kEventsOfShortTrace; }

std::string what_if_block(const ExploredRun& run, const TracedRun& traced, DelayStudy& study,
                          const TraceRequest& request) {
  const Machine same;
  GainTable table =
      make_gain_table(traced.trace(), study, same, {.most = request.what_ifs.value_or(usual_rows(traced))});
  if (table.rows.empty() || table.outcome.is_deadlock || !(table.predicted > 0)) return {};
  if (request.is_redacted) redact(run, traced, table);
  return gain_json(table);
}

}  // namespace tarry

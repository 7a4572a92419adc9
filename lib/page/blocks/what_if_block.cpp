// what_if_block.cpp -- what a run would gain if its delays and heaviest regions took less time.
#include "page/blocks/what_if_block.hpp"

#include "prediction/gain_table.hpp"
#include "report/algebra/redacted_cube.hpp"

namespace tarry {
namespace {

// So many go through a trace together; more would make the page of a longer one take several times as long as a replay.
constexpr std::size_t kUsualRows = 10, kFewRows = 2;
constexpr std::uint64_t kEventsOfUsualRows = 100'000;

// Call paths by number, files without folders.
void redact_table(const TracedRun& traced, GainTable& table) {
  for (GainRow& row : table.rows) {
    row.name = without_folders(row.name);
    if (!row.delay) continue;
    row.delay->file.erase(0, row.delay->file.rfind('/') + 1);
    row.delay->path_text = row.delay->paths.empty() ? "" : "@" + std::to_string(traced.paths()[row.delay->paths[0]]);
  }
}

}  // namespace

std::size_t usual_rows(const TracedRun& traced) {
  return traced.events() <= kEventsOfUsualRows ? kUsualRows : kFewRows;
}

bool are_predictions_quick(const TracedRun& traced) { return traced.events() <= kEventsOfShortTrace; }

std::string what_if_block(TracedRun& traced, const TraceRequest& request) {
  const Machine same;
  GainTable table = make_gain_table(traced.analysis(), same, {.most = request.what_ifs.value_or(usual_rows(traced))});
  if (table.rows.empty() || table.outcome.is_deadlock || !(table.predicted > 0)) return {};
  if (request.is_redacted) redact_table(traced, table);
  return gain_json(table);
}

}  // namespace tarry

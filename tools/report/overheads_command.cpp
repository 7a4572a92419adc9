// overheads_command.cpp -- 'tarry report --overheads': its options, and what it writes.
#include "overheads_command.hpp"

#include <optional>
#include <utility>

#include "base/cli.hpp"
#include "base/closest.hpp"
#include "base/text.hpp"
#include "findings/overheads_lost.hpp"
#include "overheads_output.hpp"

namespace tarry {
namespace {

Result<std::vector<Overhead>> read_classes(const std::string& list) {
  std::vector<Overhead> classes;
  if (list.empty()) return classes;
  for (const std::string& mnemonic : split_list(list)) {
    const auto overhead = find_overhead(mnemonic);
    if (overhead) {
      classes.push_back(*overhead);
      continue;
    }
    std::vector<std::string> known;
    for (const OverheadInfo& info : overhead_classes()) known.push_back(info.mnemonic);
    return Error{mnemonic, "is no class of overhead",
                 "did you mean " + closest_name(mnemonic, known) + "? docs/METRICS.md, \"Overheads\", lists all"};
  }
  return classes;
}

Result<std::vector<EventCost>> read_costs(const std::vector<std::string>& texts) {
  std::vector<EventCost> costs;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    auto seconds = parse_seconds(equals == text.npos ? "" : text.substr(equals + 1));
    if (equals == 0 || !seconds.ok() || !(*seconds >= 0))
      return Error{text, "is no cost of an event", "give a counter and a time, such as page-faults=250ns"};
    costs.push_back({text.substr(0, equals), *seconds});
  }
  return costs;
}

}  // namespace

void add_overhead_options(CliOptions& cli, OverheadOptions& options) {
  cli.flag("--overheads", options.is_wanted, "instead: computation and overheads, as SCALEA classifies them");
  cli.option("--region", options.region, "with --overheads: only this region and what it calls").value_name("REGION");
  cli.option("--overhead", options.classes, "with --overheads: the call paths of these classes (OSYN,ODATA_COL)")
      .value_name("LIST");
  cli.option("--reference", options.reference, "with --overheads: a run with fewer processors, to find what was lost")
      .value_name("ARCHIVE|REPORT");
  cli.option("--cost", options.costs, "with --overheads: what an event takes (page-faults=250ns); may be repeated")
      .value_name("COUNTER=TIME")
      .one_at_a_time();
}

Result<std::string> write_overheads(const OverheadOptions& options, const Report& report, const Report* reference,
                                    OverheadForm form, TextStyle style) {
  TARRY_TRY_ASSIGN(chosen, read_classes(options.classes));
  TARRY_TRY_ASSIGN(costs, read_costs(options.costs));
  std::vector<const Report*> reports = {&report};
  if (reference) reports.push_back(reference);
  TARRY_TRY_ASSIGN(grid, time_grid_of(reports));
  const OverheadQuery query{options.region, std::move(costs)};
  TARRY_TRY_ASSIGN(overheads, find_overheads(report, query, grid));
  std::optional<Overheads> before;
  if (reference) {
    TARRY_TRY_ASSIGN(found, find_overheads(*reference, query, grid));
    before = std::move(found);
    find_additional(overheads, *before, grid);
  }
  const OverheadSubject subject{report,         overheads,         before ? &*before : nullptr,
                                options.region, std::move(chosen), wanted_overheads(report, overheads)};
  if (form == OverheadForm::kCsv) return overheads_csv(subject);
  if (form == OverheadForm::kJson) return overheads_json(subject);
  return overheads_text(subject, style);
}

}  // namespace tarry

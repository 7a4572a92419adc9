// overheads_command.cpp -- 'tarry report --overheads': its options, and what it writes.
#include "overheads_command.hpp"

#include <optional>
#include <utility>

#include "base/tool/cli.hpp"
#include "base/tool/closest.hpp"
#include "base/text/text.hpp"
#include "findings/overheads/overheads_lost.hpp"
#include "overheads_output.hpp"

namespace tarry {
namespace {

// These return what is wrong with the list, or nothing.

std::string read_classes(const std::string& list, std::vector<Overhead>& classes) {
  for (const std::string& mnemonic : split_list(list)) {
    if (const auto overhead = find_overhead(mnemonic)) {
      classes.push_back(*overhead);
      continue;
    }
    std::vector<std::string> known;
    for (const OverheadInfo& info : overhead_classes()) known.push_back(info.mnemonic);
    return "--overhead: '" + mnemonic + "' is no class, did you mean " + closest_name(mnemonic, known) + "?";
  }
  return "";
}

std::string read_costs(const std::string& list, std::vector<EventCost>& costs) {
  for (const std::string& text : split_list(list)) {
    const std::size_t equals = text.find('=');
    auto seconds = parse_seconds(equals == text.npos ? "" : text.substr(equals + 1));
    if (equals == 0 || !seconds.ok() || !(*seconds >= 0))
      return "--cost: '" + text + "' is no counter and time, such as page-faults=250ns";
    costs.push_back({text.substr(0, equals), *seconds});
  }
  return "";
}

}  // namespace

void add_overhead_options(CliOptions& cli, OverheadOptions& options, std::span<const CliOption> others) {
  const auto classes = [&options](const std::string& list) { return read_classes(list, options.classes); };
  const auto costs = [&options](const std::string& list) { return read_costs(list, options.costs); };
  const CliOption ours[] = {
      cli.flag("--overheads", options.is_wanted, "instead: computation and overheads, as SCALEA classifies them"),
      cli.option("--region", options.region,
                 "the overheads, or with --efficiency the efficiencies, of this region and what it calls")
          .value_name("REGION"),
      cli.option("--overhead", classes, "the call paths of these classes of overhead (OSYN,ODATA_COL)")
          .value_name("LIST"),
      cli.option("--reference", options.reference, "the overheads against a run with fewer processors: what was lost")
          .value_name("ARCHIVE|REPORT"),
      cli.option("--cost", costs, "overheads: what events take (page-faults=250ns,PAPI_L2_DCM=4ns)").value_name("LIST"),
  };
  for (CliOption option : ours)
    for (const CliOption& other : others) option.not_with(other);
}

Result<std::string> write_overheads(const OverheadOptions& options, const Report& report, const Report* reference,
                                    OverheadForm form, TextStyle style) {
  std::vector<const Report*> reports = {&report};
  if (reference) reports.push_back(reference);
  TARRY_TRY_ASSIGN(grid, time_grid_of(reports));
  const OverheadQuery query{options.region, options.costs};
  TARRY_TRY_ASSIGN(overheads, find_overheads(report, query, grid));
  std::optional<Overheads> before;
  if (reference) {
    TARRY_TRY_ASSIGN(found, find_overheads(*reference, query, grid));
    before = std::move(found);
    find_additional(overheads, *before, grid);
  }
  const OverheadSubject subject{report,         overheads,       before ? &*before : nullptr,
                                options.region, options.classes, wanted_overheads(report, overheads)};
  if (form == OverheadForm::kCsv) return overheads_csv(subject);
  if (form == OverheadForm::kJson) return overheads_json(subject);
  return overheads_text(subject, style);
}

}  // namespace tarry

// findings_blocks.cpp -- what the text report says of a run: findings, overheads, iterations.
#include "page/blocks/findings_blocks.hpp"

#include <algorithm>

#include "base/text/json.hpp"
#include "findings/findings.hpp"
#include "findings/findings_data.hpp"
#include "findings/iterations/iterations_data.hpp"
#include "findings/overheads/overheads_data.hpp"
#include "findings/shown_report.hpp"
#include "report/tables/iteration_table.hpp"

namespace tarry {
namespace {

constexpr std::size_t kFindingsOnPage = 1000, kIterationValues = 200'000;

std::string overheads_block(const Report& report) {
  const auto grid = time_grid_of({&report});
  if (!grid.ok()) return {};
  const auto overheads = find_overheads(report, {}, grid.value());
  if (!overheads.ok()) return {};
  const OverheadSubject subject{
      report, overheads.value(), nullptr, "", {}, wanted_overheads(report, overheads.value())};
  return overheads_json(subject);
}

// Of the loop that the report has a table of; the first metrics, as far as there is room.
std::string iterations_block(const Report& report) {
  auto table = read_iteration_table(report.files);
  if (!table.ok() || table->rows.empty()) return {};
  const std::size_t values = table->rows.size() * table->ranks.size();
  table->metrics.resize(std::min(table->metrics.size(), kIterationValues / std::max<std::size_t>(values, 1)));
  if (table->metrics.empty()) return {};
  return "{" + json_string(table->region) + ": " + iterations_json(*table) + "}";
}

}  // namespace

FindingsBlocks findings_blocks(const ExploredRun& run) {
  FindingsBlocks blocks;
  Report single = load_report(run.source());
  blocks.iterations = iterations_block(single);
  auto report = shown_report(std::move(single));
  if (!report.ok()) return blocks;
  const auto findings = find_findings(report.value(), kFindingsOnPage);
  if (findings.ok()) blocks.findings = findings_json(report.value(), findings.value(), SourceLines::none());
  blocks.overheads = overheads_block(report.value());
  return blocks;
}

}  // namespace tarry

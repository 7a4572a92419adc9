// merged_iterations.cpp -- a report in which the iterations of a loop share call paths.
#include "report/algebra/merged_iterations.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <string>
#include <tuple>

#include "base/text/format.hpp"
#include "defs/definitions.hpp"
#include "report/tree/unify_reports.hpp"

namespace tarry {
namespace {

constexpr std::size_t kMostRanges = 3;  // of numbers in a name

// Iterations of one loop: its name, file and line.
using Loop = std::tuple<std::string, std::string, std::int64_t>;

struct Numbers {
  std::vector<std::int64_t> numbers;
  std::vector<std::uint32_t> regions;
};

// Of "step=7" in a dynamic region: 7.
std::optional<std::int64_t> iteration_of(const ReportRegion& region) {
  const bool is_dynamic = region.role == name_of(RegionRole::kDynamicPhase) ||
                          region.role == name_of(RegionRole::kDynamicLoop) ||
                          region.role == name_of(RegionRole::kDynamic);
  const std::size_t mark = region.name.rfind('=');
  if (!is_dynamic || mark == region.name.npos) return std::nullopt;
  std::int64_t number = 0;
  const char* const last = region.name.data() + region.name.size();
  const auto [end, error] = std::from_chars(region.name.data() + mark + 1, last, number);
  return error == std::errc() && end == last ? std::optional(number) : std::nullopt;
}

// Those that were recorded: the others, which a selection has left out, have no call path.
std::map<Loop, Numbers> find_loops(const ReportStructure& report) {
  std::vector<bool> is_recorded(report.regions.size());
  for (const ReportCallPath& path : report.call_paths) is_recorded[path.region] = true;
  std::map<Loop, Numbers> loops;
  for (std::uint32_t i = 0; i < report.regions.size(); ++i) {
    const ReportRegion& region = report.regions[i];
    const auto number = iteration_of(region);
    if (!number || !is_recorded[i]) continue;
    Numbers& loop = loops[{region.name.substr(0, region.name.rfind('=')), region.module, region.begin_line}];
    loop.numbers.push_back(*number);
    loop.regions.push_back(i);
  }
  return loops;
}

}  // namespace

Result<std::optional<MergedIterations>> merge_iterations(const ReportStructure& report) {
  ReportStructure renamed;
  bool is_changed = false;
  for (const auto& [loop, found] : find_loops(report)) {
    if (found.regions.size() < 2) continue;
    if (!is_changed) renamed = report;
    is_changed = true;
    const std::string name = std::get<0>(loop) + "=" + format_ranges(found.numbers, kMostRanges);
    for (const std::uint32_t region : found.regions) renamed.regions[region].name = name;
  }
  if (!is_changed) return std::optional<MergedIterations>();
  const ReportStructure* const reports[] = {&renamed};
  const std::string names[] = {"report"};
  TARRY_TRY_ASSIGN(mapped, unify_reports(reports, names, {}));
  MergedIterations merged{std::move(mapped), {}};
  for (std::uint32_t path = 0; path < merged.mapped.structure.call_paths.size(); ++path) {
    const auto sources = merged.mapped.maps[0].exclusive.of(path);
    const ReportRegion& first = report.regions[report.call_paths[sources.front()].region];
    merged.is_of_iterations.push_back(sources.size() > 1 && iteration_of(first));
  }
  return std::optional(std::move(merged));
}

}  // namespace tarry

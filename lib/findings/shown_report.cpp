// shown_report.cpp -- the report as people read it: with fewer call paths than it has.
#include "findings/shown_report.hpp"

#include <algorithm>
#include <utility>

#include "report/algebra/algebra.hpp"
#include "report/tables/instance_files.hpp"
#include "report/algebra/merged_iterations.hpp"
#include "report/algebra/merged_sites.hpp"
#include "report/tables/wait_causes.hpp"

namespace tarry {
namespace {

// The table of causes names call paths by their numbers.
void renumber(const Report& from, const MappedReports& mapped, std::vector<ReportFile>& files) {
  auto causes = read_causes(from.structure, files);
  if (!causes.ok() || causes->empty()) return;
  std::vector<CallPathId> places(from.structure.call_paths.size());
  for (std::uint32_t path = 0; path < mapped.structure.call_paths.size(); ++path)
    for (const std::uint32_t source : mapped.maps[0].exclusive.of(path)) places[source] = CallPathId(path);
  replace_causes(renumber_causes(*causes, places), files);
}

Report combined(const Report& report, MappedReports mapped) {
  std::vector<ReportFile> files = report.files;
  renumber(report, mapped, files);
  const ReportCube single(report);
  CombinedCube cube({&single}, std::move(mapped), Combination::kMerge);
  cube.keep_files(std::move(files));
  return load_report(cube);
}

bool lists_waits(const Report& report) {
  return std::any_of(report.files.begin(), report.files.end(),
                     [](const ReportFile& file) { return file.name == kInstancesFile; });
}

Result<Report> with_merged_iterations(Report report) {
  if (lists_waits(report)) return report;
  TARRY_TRY_ASSIGN(merged, merge_iterations(report.structure));
  return merged ? combined(report, std::move(merged->mapped)) : std::move(report);
}

}  // namespace

Result<Report> shown_report(Report report) {
  TARRY_TRY_ASSIGN(merged, with_merged_iterations(std::move(report)));
  TARRY_TRY_ASSIGN(mapped, merge_call_sites(merged.structure, CallSites::kUnknownLines));
  return mapped ? combined(merged, std::move(*mapped)) : std::move(merged);
}

}  // namespace tarry

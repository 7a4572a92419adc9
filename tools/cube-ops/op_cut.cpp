// op_cut.cpp -- tarry cube cut: parts of the call tree become roots, or are folded into their parents.
#include <algorithm>

#include "ops.hpp"
#include "report_input.hpp"

namespace tarry {
namespace {

Status check_regions(const ReportStructure& report, const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (std::none_of(report.call_paths.begin(), report.call_paths.end(),
                     [&](const ReportCallPath& path) { return report.regions[path.region].name == name; }))
      return Error{"region '" + name + "'", "is on no call path of this report",
                   "tarry cube calltree lists the call paths"};
  return {};
}

}  // namespace

// Roots first, then what is pruned below them.
Result<int> run_cut(const CubeOptions& options) {
  TARRY_TRY(check_output(options));
  TARRY_TRY_ASSIGN(report, open_report(options.inputs[0]));
  TARRY_TRY(check_regions(report->structure(), options.roots));
  TARRY_TRY(check_regions(report->structure(), options.pruned));
  MappedReports mapped = options.roots.empty() ? prune_regions(report->structure(), options.pruned)
                                               : cut_to_roots(report->structure(), options.roots);
  const CombinedCube first({report.get()}, std::move(mapped), Combination::kMerge);
  if (options.roots.empty() || options.pruned.empty()) return write_result(first, options);
  const CombinedCube second({&first}, prune_regions(first.structure(), options.pruned), Combination::kMerge);
  return write_result(second, options);
}

}  // namespace tarry

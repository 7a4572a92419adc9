// op_cut.cpp -- tarry cube cut: parts of the call tree become roots, or are merged into their parents.
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
static Result<int> run_cut(const CubeOptions& options) {
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

static Status check_cut(const CubeOptions& options) {
  if (!options.roots.empty() || !options.pruned.empty()) return {};
  return Error{"usage", "nothing to cut", "name a region with --root or --prune"};
}

static void add_cut_options(CliOptions& line, CliOption, CubeOptions& options) {
  line.option("-r,--root", options.roots, "call paths of this region become roots; may be repeated").one_at_a_time();
  line.option("-p,--prune", options.pruned, "call paths of this region are added to their parents; may be repeated")
      .one_at_a_time();
}

Operation cut_operation() {
  return {
      .name = "cut",
      .purpose = "parts of the call tree: as new roots, or added to their parents",
      .examples = R"(  tarry cube cut --root solve run/analysis.cubex -o solve.cubex
  tarry cube cut --prune log_message --prune assert run/summary.cubex -o short.cubex
  tarry cube cut --root solve run/analysis.cubex -o - | tarry cube calltree -
)",
      .see_also = "tarry cube part, tarry cube clean",
      .gives = Gives::kReport,
      .add_options = add_cut_options,
      .check = check_cut,
      .run = run_cut,
  };
}

}  // namespace tarry

// op_part.cpp -- tarry cube part: some processes or threads of a report.
#include <algorithm>
#include <utility>

#include "base/text/ranges.hpp"
#include "ops.hpp"
#include "report_input.hpp"

namespace tarry {

static Result<int> run_part(const CubeOptions& options) {
  TARRY_TRY(check_output(options));
  TARRY_TRY_ASSIGN(ranks, NumberRanges::parse(options.ranks));
  TARRY_TRY_ASSIGN(threads, NumberRanges::parse(options.threads));
  TARRY_TRY_ASSIGN(report, open_report(options.inputs[0]));
  const ReportStructure& structure = report->structure();
  std::vector<bool> is_kept;
  for (const ReportLocation& location : structure.locations)
    is_kept.push_back((ranks.contains(structure.processes[location.process].rank) && threads.contains(location.rank)) !=
                      options.is_inverted);
  if (std::find(is_kept.begin(), is_kept.end(), true) == is_kept.end())
    return Error{options.inputs[0], "has none of these ranks and threads", "tarry cube info counts them"};
  const CombinedCube result({report.get()}, keep_locations(structure, is_kept), Combination::kMerge);
  return write_result(result, options);
}

static Status check_part(const CubeOptions& options) {
  if (!options.ranks.empty() || !options.threads.empty()) return {};
  return Error{"usage", "no part is named", "name it with --ranks or --threads"};
}

static void add_part_options(CliOptions& line, CliOption, CubeOptions& options) {
  line.option("-R,--ranks", options.ranks, "ranks to keep, as 0,4-7 (default: all)");
  line.option("-T,--threads", options.threads, "threads of each process to keep, as 0,4-7 (default: all)");
  line.flag("-I,--invert", options.is_inverted, "keep the others");
}

Operation part_operation() {
  return {
      .name = "part",
      .purpose = "some processes or threads",
      .examples = R"(  tarry cube part --ranks 0-3 run/analysis.cubex -o first.cubex
  tarry cube part --threads 0 run/analysis.cubex -o masters.cubex
  tarry cube part --ranks 7 --invert run/analysis.cubex -o - | tarry cube stat -
)",
      .see_also = "tarry cube cut, tarry cube clean",
      .gives = Gives::kReport,
      .add_options = add_part_options,
      .check = check_part,
      .run = run_part,
  };
}

}  // namespace tarry

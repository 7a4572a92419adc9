// op_part.cpp -- tarry cube part: some processes or threads of a report.
#include <algorithm>
#include <utility>

#include "base/ranges.hpp"
#include "ops.hpp"
#include "report_input.hpp"

namespace tarry {

Result<int> run_part(const CubeOptions& options) {
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

}  // namespace tarry

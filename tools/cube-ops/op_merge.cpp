// op_merge.cpp -- tarry cube merge: the union of reports; later ones replace what they have.
#include "ops.hpp"
#include "report_input.hpp"
#include "shared_options.hpp"

namespace tarry {

static Result<int> run_merge(const CubeOptions& options) { return combine_reports(options, Combination::kMerge); }

Operation merge_operation() {
  return {
      .name = "merge",
      .purpose = "the union of reports; where several have a value, the last one counts",
      .shared_notes = kUnionNotes,
      .examples = R"(  tarry cube merge time.cubex counters.cubex -o both.cubex
  tarry cube merge - counters.cubex < time.cubex -o both.cubex
  tarry cube merge -C part1.cubex part2.cubex -o whole.cubex
)",
      .see_also = "tarry cube mean, tarry cube diff",
      .takes = Takes::kReports,
      .gives = Gives::kReport,
      .add_options = add_system_options,
      .run = run_merge,
  };
}

}  // namespace tarry

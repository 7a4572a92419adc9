// op_min.cpp -- tarry cube min: the smallest of the values of reports.
#include "ops.hpp"
#include "report_input.hpp"
#include "shared_options.hpp"

namespace tarry {

static Result<int> run_min(const CubeOptions& options) { return combine_reports(options, Combination::kMinimum); }

Operation min_operation() {
  return {
      .name = "min",
      .purpose = "the smallest value of reports",
      .shared_notes = kExtremeNotes,
      .examples = R"(  tarry cube min run1.cubex run2.cubex run3.cubex -o least.cubex
  tarry cube min run?.cubex -o - | tarry cube topn -
  tarry cube diff run1.cubex least.cubex -o noise.cubex
)",
      .see_also = "tarry cube max, tarry cube mean",
      .takes = Takes::kReports,
      .gives = Gives::kReport,
      .add_options = add_system_options,
      .run = run_min,
  };
}

}  // namespace tarry

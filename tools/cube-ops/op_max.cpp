// op_max.cpp -- tarry cube max: the largest of the values of reports.
#include "ops.hpp"
#include "report_input.hpp"
#include "shared_options.hpp"

namespace tarry {

static Result<int> run_max(const CubeOptions& options) { return combine_reports(options, Combination::kMaximum); }

Operation max_operation() {
  return {
      .name = "max",
      .purpose = "the largest value of reports",
      .shared_notes = kExtremeNotes,
      .examples = R"(  tarry cube max run1.cubex run2.cubex run3.cubex -o most.cubex
  tarry cube max run?.cubex -o - | tarry cube topn -
  tarry cube diff most.cubex run1.cubex -o room.cubex
)",
      .see_also = "tarry cube min, tarry cube mean",
      .takes = Takes::kReports,
      .gives = Gives::kReport,
      .add_options = add_system_options,
      .run = run_max,
  };
}

}  // namespace tarry

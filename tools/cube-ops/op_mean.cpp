// op_mean.cpp -- tarry cube mean: the average of reports.
#include "ops.hpp"
#include "report_input.hpp"
#include "shared_options.hpp"

namespace tarry {

static Result<int> run_mean(const CubeOptions& options) {
  return combine_reports(options, options.is_exact ? Combination::kExactMean : Combination::kMean);
}

static void add_options(CliOptions& line, CliOption inputs, CubeOptions& options) {
  line.flag("--exact", options.is_exact, "averages of whole numbers keep their fraction");
  add_system_options(line, inputs, options);
}

Operation mean_operation() {
  return {
      .name = "mean",
      .purpose = "the average of reports",
      .notes = R"(A value that a report does not have counts as zero. Whole numbers (visits, bytes)
stay whole: each share drops its fraction, as Cube's tools do it; --exact does not.

)",
      .examples = R"(  tarry cube mean run1.cubex run2.cubex run3.cubex -o typical.cubex
  tarry cube mean --exact run?.cubex -o typical.cubex
  tarry cube mean run?.cubex -o - | tarry cube topn -
)",
      .see_also = "tarry cube min, tarry cube max, tarry cube cmp",
      .takes = Takes::kReports,
      .gives = Gives::kReport,
      .add_options = add_options,
      .run = run_mean,
  };
}

}  // namespace tarry

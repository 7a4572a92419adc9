// op_clean.cpp -- tarry cube clean: a report without what nothing refers to, numbered anew.
#include "ops.hpp"
#include "report_input.hpp"
#include "shared_options.hpp"

namespace tarry {

static Result<int> run_clean(const CubeOptions& options) { return combine_reports(options, Combination::kMerge); }

Operation clean_operation() {
  return {
      .name = "clean",
      .purpose = "a report without what nothing refers to, numbered anew",
      .examples = R"(  tarry cube clean profile.cubex -o small.cubex
  tarry cube clean -C profile.cubex -o flat.cubex
  tarry cube clean --by-name profile.cubex -o -
)",
      .see_also = "tarry cube cut, tarry cube part",
      .gives = Gives::kReport,
      .add_options = add_system_options,
      .run = run_clean,
  };
}

}  // namespace tarry

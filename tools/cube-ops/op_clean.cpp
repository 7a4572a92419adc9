// op_clean.cpp -- tarry cube clean: a report without what nothing refers to, numbered anew.
#include "ops.hpp"
#include "report_input.hpp"

namespace tarry {

Result<int> run_clean(const CubeOptions& options) { return combine_reports(options, Combination::kMerge); }

}  // namespace tarry

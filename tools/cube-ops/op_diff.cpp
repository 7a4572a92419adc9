// op_diff.cpp -- tarry cube diff: first report minus the others.
#include "ops.hpp"
#include "report_input.hpp"

namespace tarry {

Result<int> run_diff(const CubeOptions& options) { return combine_reports(options, Combination::kDifference); }

}  // namespace tarry

// op_max.cpp -- tarry cube max: the largest of the values of reports.
#include "ops.hpp"
#include "report_input.hpp"

namespace tarry {

Result<int> run_max(const CubeOptions& options) { return combine_reports(options, Combination::kMaximum); }

}  // namespace tarry

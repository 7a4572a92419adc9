// op_min.cpp -- tarry cube min: the smallest of the values of reports.
#include "ops.hpp"
#include "report_input.hpp"

namespace tarry {

Result<int> run_min(const CubeOptions& options) { return combine_reports(options, Combination::kMinimum); }

}  // namespace tarry

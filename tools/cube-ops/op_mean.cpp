// op_mean.cpp -- tarry cube mean: the average of reports.
#include "ops.hpp"
#include "report_input.hpp"

namespace tarry {

Result<int> run_mean(const CubeOptions& options) {
  return combine_reports(options, options.is_exact ? Combination::kExactMean : Combination::kMean);
}

}  // namespace tarry

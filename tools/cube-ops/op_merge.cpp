// op_merge.cpp -- tarry cube merge: the union of reports; later ones replace what they have.
#include "ops.hpp"
#include "report_input.hpp"

namespace tarry {

Result<int> run_merge(const CubeOptions& options) { return combine_reports(options, Combination::kMerge); }

}  // namespace tarry

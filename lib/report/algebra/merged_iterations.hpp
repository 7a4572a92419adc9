// merged_iterations.hpp -- a report in which the iterations of a loop share call paths.
#pragma once

#include <optional>
#include <vector>

#include "base/result.hpp"
#include "report/tree/report_map.hpp"

namespace tarry {

struct MergedIterations {
  MappedReports mapped;                // for CombinedCube, with one map
  std::vector<bool> is_of_iterations;  // [call path of the result]: made of several iterations
};

/// Call paths of single iterations ("step=0", "step=1", ...) below one parent become one call path, "step=0-99". What
/// is below them is merged by equal regions. Clusters of iterations ("step=cluster 1") remain. Nothing if no call path
/// would be merged.
Result<std::optional<MergedIterations>> merge_iterations(const ReportStructure& report);

}  // namespace tarry

// write_causes.hpp -- the causes of waits become a table of the report.
#pragma once

#include <vector>

#include "analysis/analysis.hpp"
#include "report/tree/report.hpp"

namespace tarry {

/// Adds the table of causes, if there are any. `position`: the call path of the report for each of the unified tree.
void add_wait_causes(const AnalysisResult& result, const std::vector<PathIndex>& position,
                     const Definitions& definitions, Report& report);

}  // namespace tarry

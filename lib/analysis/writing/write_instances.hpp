// write_instances.hpp -- the most severe instances and the statistics of waits, as tables kept in a report.
#pragma once

#include <string>
#include <vector>

#include "analysis/analysis.hpp"
#include "report/tree/report.hpp"

namespace tarry {

/// Adds the extra files that hold the instances and statistics (docs/CUBEX.md, "Statistics of waits") to a report whose
/// trees are complete. `position`: the call path of the report that each unified path became. Nothing if none were
/// asked for.
void add_instance_files(const Definitions& definitions, const std::vector<PathIndex>& position,
                        const AnalysisResult& result, Report& report);

/// Text of the extra file `name`; empty if the report has none.
std::string file_text(const Report& report, const std::string& name);

}  // namespace tarry

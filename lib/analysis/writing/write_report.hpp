// write_report.hpp -- the results of all processes become a report.
#pragma once

#include <string>
#include <vector>

#include "analysis/analysis.hpp"
#include "report/tree/report.hpp"

namespace tarry {

/// For each call path of a report, the one of the unified tree that it is.
std::vector<PathIndex> report_order(const CallTree& tree);

/// The report of an analysis: the catalogue's metrics with any value, the unified call tree, the system tree, seconds
/// and counts. `faults` (may be empty) is what was skipped; it flags the report as incomplete. Filled in by `workers`
/// threads. The rows of the result become those of the report.
Report make_report(const Definitions& definitions, const RegionTable& regions, AnalysisResult result,
                   const std::string& faults, unsigned workers);

}  // namespace tarry

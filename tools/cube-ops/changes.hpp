// changes.hpp -- how old reports and a new one differ, in words: what cmp and diff say.
#pragma once

#include <string>
#include <vector>

#include "report/tree/report.hpp"

namespace tarry {

/// "+16.7%"; "12 times as much" from a factor of ten on; "new" and "gone" if one of the two is zero; empty if they are
/// equal.
std::string relative_text(double before, double now);

/// What makes values hard to compare: other numbers of processes or threads, another program. One sentence each. The
/// last report is the new one; `names` are those of the reports.
std::vector<std::string> structure_differences(const std::vector<const ReportStructure*>& reports,
                                               const std::vector<std::string>& names);

}  // namespace tarry

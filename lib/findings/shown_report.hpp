// shown_report.hpp -- the report as people read it: with fewer call paths than it has.
#pragma once

#include "base/result.hpp"
#include "report/tree/report.hpp"

namespace tarry {

/// The report with the iterations of loops merged, unless it lists single waits, which are of iterations. What is
/// called from lines that are not known is merged by functions.
Result<Report> shown_report(Report report);

}  // namespace tarry

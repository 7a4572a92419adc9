// run_report.hpp -- one run of tarry-report: reads what is named, and writes what is asked for in its form.
#pragma once

#include "base/result.hpp"
#include "report_options.hpp"

namespace tarry {

/// Writes the findings or, in their place, files, iterations, overheads or efficiencies: as text, CSV or JSON. Fails if
/// an input cannot be read, if it has nothing of what is asked for, or if it is the output, too.
Status run_report(const ReportOptions& options);

}  // namespace tarry

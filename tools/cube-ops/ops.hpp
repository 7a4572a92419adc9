// ops.hpp -- the operations of tarry cube; each is in the file of its name.
#pragma once

#include <string>

#include "base/result.hpp"
#include "report/report.hpp"

namespace tarry {

enum class DumpFormat { kTable, kCsv, kJson };

/// Every non-zero value, inclusive along the metric tree, exclusive along the call tree. `metrics`: comma list, or
/// empty for all.
Status dump_report(const Report& report, const std::string& metrics, DumpFormat format);

/// What is in a report: sizes, attributes, the metric tree with totals. `name` is printed as its name.
Status show_info(const Report& report, const std::string& name);

/// The call tree with the values of one metric, over all locations. An empty `metric` means time, or the first one.
/// Paths are shown from `threshold` on, a fraction of the total, and where a path below them is.
Status show_call_tree(const Report& report, const std::string& metric, bool is_inclusive, double threshold);

}  // namespace tarry

// report_input.hpp -- what every operation does with its input: read it, pick metrics, say what was damaged.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "report/report.hpp"

namespace tarry {

/// Reads a report; "-" is stdin. A folder is refused with the names of the reports in it.
Result<Report> open_report(const std::string& path);

/// The metrics named in a comma list, in that order; all that are neither ghost nor void if the list is empty. Fails
/// if there is no metric of a name.
Result<std::vector<MetricId>> select_metrics(const Report& report, const std::string& list);

/// To be called last: one line about what could not be read, if there is such. Exit status 0, or 1 if `is_strict`.
int conclude(const Report& report, bool is_strict);

/// A value for people: four significant digits, no exponent where it can be avoided; "-" for a minimum or maximum
/// nobody contributed to.
std::string number_for_people(ValueType type, double value);

/// Writes to stdout; fails where it cannot.
Status print(std::string_view text);

}  // namespace tarry

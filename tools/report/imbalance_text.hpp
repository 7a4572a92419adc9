// imbalance_text.hpp -- load balance and processors as text for people.
#pragma once

#include <string>
#include <vector>

#include "findings/findings.hpp"

namespace tarry {

/// Lines for the top of the report: nodes with too few processors, and processes that had to wait for one.
std::vector<std::string> processor_lines(const Findings& findings);

/// The heading and at most five lines, the largest imbalances first; nothing if none is at least 1 % of the allocation
/// time. Lines may be longer than the screen is wide.
std::vector<std::string> imbalance_lines(const Report& report, const Findings& findings, bool has_full_names);

}  // namespace tarry

// efficiency_output.hpp -- efficiencies of runs side by side, for people.
#pragma once

#include <string>

#include "findings_text.hpp"
#include "efficiency/efficiency_table.hpp"

namespace tarry {

/// The hierarchy as indented rows, runs as columns.
std::string efficiency_text(const EfficiencyTable& table, TextStyle style);

}  // namespace tarry

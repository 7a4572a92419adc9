// iterations_output.hpp -- values by iteration and process as text for people.
#pragma once

#include <string>

#include "findings_text.hpp"
#include "report/tables/iteration_series.hpp"

namespace tarry {

/// How each metric is spread over processes in each iteration; beyond a screenful in stretches of iterations. Names the
/// iterations that stick out, and whether the same processes have most in all of them.
std::string iterations_text(const IterationTable& table, TextStyle style);

}  // namespace tarry

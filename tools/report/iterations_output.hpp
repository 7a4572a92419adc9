// iterations_output.hpp -- values by iteration and process, for people and for programs.
#pragma once

#include <string>

#include "findings_text.hpp"
#include "report/iteration_series.hpp"

namespace tarry {

/// How each metric is spread over processes in each iteration; beyond a screenful in stretches of iterations. Names the
/// iterations that stick out, and whether the same processes have most in all of them.
std::string iterations_text(const IterationTable& table, TextStyle style);

/// Header `iteration,count,metric,rank,value`; a row for each value, also of 0. A row with count > 1 is of so many
/// iterations from `iteration` on.
std::string iterations_csv(const IterationTable& table);

/// One object; member "version" counts changes that break readers.
std::string iterations_json(const IterationTable& table);

}  // namespace tarry

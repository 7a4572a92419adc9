// iterations_data.hpp -- values by iteration and process for programs: CSV and JSON.
#pragma once

#include <string>

#include "report/tables/iteration_series.hpp"

namespace tarry {

/// Header `iteration,count,metric,rank,value`; a row for each value, also of 0. A row with count > 1 is of so many
/// iterations from `iteration` on.
std::string iterations_csv(const IterationTable& table);

/// One object; member "version" counts changes that break readers.
std::string iterations_json(const IterationTable& table);

}  // namespace tarry

// points_file.hpp -- reads measured values from a table.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "scaling/model/measured_points.hpp"

namespace tarry {

/// Columns callpath, metric, one or more parameters, value; one row for each value of each run. A parameter that is
/// blank in all rows of a series is none of it.
Result<std::vector<MeasuredSeries>> read_points_file(const std::string& path);

}  // namespace tarry

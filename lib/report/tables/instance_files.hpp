// instance_files.hpp -- names of the extra files of a report that hold single waits and their statistics.
#pragma once

namespace tarry {

/// Most severe instances of each kind of wait state, as CSV.
inline constexpr char kInstancesFile[] = "instances.csv";

/// Count, mean, quartiles and so on of each kind, as CSV.
inline constexpr char kStatisticsFile[] = "statistics.csv";

/// Both as the field's report browsers read it, and the attribute of the report that names the file to them.
inline constexpr char kBoxPlotFile[] = "analysis.stat";
inline constexpr char kBoxPlotAttribute[] = "statisticfile";

}  // namespace tarry

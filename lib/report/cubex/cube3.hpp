// cube3.hpp -- reports of version 3 of the format: one XML text, trees and values (docs/CUBE_OPERATIONS.md).
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "report/algebra/cube_source.hpp"

namespace tarry {

/// True if the bytes begin like an XML text and not like an archive.
bool is_cube3(std::string_view bytes);

/// Reads a report of version 3. Its values are exclusive along both trees; those read are inclusive along the metric
/// tree, as everywhere here. `path` names it in errors. Memory grows with the text.
Result<Report> read_cube3(std::string_view text, const std::string& path);

/// Writes a report in version 3 to `path` in one step ("-": stdout). That version knows numbers only: one for each
/// tuple, none for derived metrics, ghosts and extra files. All levels of the system tree above the processes become
/// one machine and its nodes.
Status write_cube3(const CubeSource& report, const std::string& path);

}  // namespace tarry

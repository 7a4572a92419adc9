// cubex_writer.hpp -- writes a report as a .cubex file (docs/CUBEX.md).
#pragma once

#include <string>

#include "base/result.hpp"
#include "report/algebra/cube_source.hpp"

namespace tarry {

/// Writes the report to `path` in one step ("-": stdout): little endian, sparse, not compressed, the anchor last. The
/// same report gives the same bytes. Needs memory for one row. Void metrics are left out. Fails if the file cannot be
/// written or the report breaks a rule of the format:
///   - it has no metric, region or call path, or a process without location,
///   - two metrics have one name,
///   - a minimum, maximum or tuple metric is inclusive.
Status write_cubex(const CubeSource& report, const std::string& path);
Status write_cubex(const Report& report, const std::string& path);

}  // namespace tarry

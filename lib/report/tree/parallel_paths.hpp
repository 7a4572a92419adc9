// parallel_paths.hpp -- which call paths and threads of a report belong to OpenMP's parallel regions.
#pragma once

#include <cstdint>
#include <vector>

#include "report/tree/report.hpp"

namespace tarry {

/// Where a call path lies.
enum class PathTeam : std::uint8_t {
  kSerial,    // outside parallel regions
  kRegion,    // an outermost parallel region
  kParallel,  // inside one
};

/// By call path.
std::vector<PathTeam> path_teams(const ReportStructure& structure);

/// By call path: the outermost parallel region that it lies in; none outside, and for such a region itself.
std::vector<CallPathId> regions_around(const ReportStructure& structure);

/// True if the report has regions of OpenMP in its call tree.
bool uses_openmp(const ReportStructure& structure);

/// By location: the first thread of its process. Locations that are no threads are their own.
std::vector<std::uint32_t> master_threads(const ReportStructure& structure);

}  // namespace tarry

// parallel_paths.cpp -- which call paths and threads of a report belong to OpenMP's parallel regions.
#include "report/tree/parallel_paths.hpp"

#include <algorithm>

namespace tarry {

std::vector<PathTeam> path_teams(const ReportStructure& structure) {
  std::vector<PathTeam> teams;
  for (const ReportCallPath& path : structure.call_paths) {
    const ReportRegion& region = structure.regions[path.region];
    const bool is_inside = path.parent.value < teams.size() && teams[path.parent.value] != PathTeam::kSerial;
    const bool is_region = region.paradigm == "openmp" && region.role == "parallel";
    teams.push_back(is_inside ? PathTeam::kParallel : is_region ? PathTeam::kRegion : PathTeam::kSerial);
  }
  return teams;
}

std::vector<CallPathId> regions_around(const ReportStructure& structure) {
  const std::vector<PathTeam> teams = path_teams(structure);
  std::vector<CallPathId> regions(teams.size());
  for (std::size_t path = 0; path < teams.size(); ++path) {
    const CallPathId parent = structure.call_paths[path].parent;
    if (teams[path] == PathTeam::kParallel)
      regions[path] = teams[parent.value] == PathTeam::kRegion ? parent : regions[parent.value];
  }
  return regions;
}

bool uses_openmp(const ReportStructure& structure) {
  return std::any_of(structure.call_paths.begin(), structure.call_paths.end(),
                     [&](const ReportCallPath& path) { return structure.regions[path.region].paradigm == "openmp"; });
}

std::vector<std::uint32_t> master_threads(const ReportStructure& structure) {
  std::vector<std::uint32_t> masters;
  std::vector<std::uint32_t> first(structure.processes.size(), UINT32_MAX);
  for (std::uint32_t location = 0; location < structure.locations.size(); ++location) {
    const ReportLocation& facts = structure.locations[location];
    if (!facts.is_thread()) {
      masters.push_back(location);
      continue;
    }
    first[facts.process] = std::min(first[facts.process], location);
    masters.push_back(first[facts.process]);
  }
  return masters;
}

}  // namespace tarry

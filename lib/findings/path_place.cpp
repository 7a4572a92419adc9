// path_place.cpp -- where in the source a call path is: function, file and line.
#include "findings/path_place.hpp"

namespace tarry {

namespace {

// What a call path itself tells, without those above it.
std::optional<PathPlace> own_place(const ReportStructure& structure, CallPathId path) {
  const ReportCallPath& facts = structure.call_paths[path.value];
  const bool has_caller = facts.parent.value < path.value;
  if (has_caller && facts.line > 0 && !facts.module.empty())
    return PathPlace{structure.call_paths[facts.parent.value].region, facts.module, facts.line};
  const ReportRegion& region = structure.regions[facts.region];
  if (region.begin_line > 0 && !region.module.empty() && region.paradigm != "mpi")
    return PathPlace{facts.region, region.module, region.begin_line};
  return std::nullopt;
}

}  // namespace

std::optional<PathPlace> find_place(const ReportStructure& structure, CallPathId path) {
  while (path.value < structure.call_paths.size()) {
    if (auto place = own_place(structure, path)) return place;
    const CallPathId parent = structure.call_paths[path.value].parent;
    if (parent.value >= path.value) break;
    path = parent;
  }
  return std::nullopt;
}

std::optional<PathPlace> find_work(const ReportStructure& structure, CallPathId path) {
  if (path.value >= structure.call_paths.size()) return std::nullopt;
  const std::uint32_t number = structure.call_paths[path.value].region;
  const ReportRegion& region = structure.regions[number];
  const bool is_known = region.paradigm != "mpi" && region.begin_line > 0 && !region.module.empty();
  return is_known ? PathPlace{number, region.module, region.begin_line} : find_place(structure, path);
}

PathPlaces::PathPlaces(const ReportStructure& structure) : structure_(structure) {
  for (std::uint32_t path = 0; path < structure.call_paths.size(); ++path) {
    const CallPathId parent = structure.call_paths[path].parent;
    if (own_place(structure, CallPathId(path))) nearest_.push_back(CallPathId(path));
    else nearest_.push_back(parent.value < path ? nearest_[parent.value] : CallPathId{});
  }
}

}  // namespace tarry

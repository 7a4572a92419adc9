// loop_paths.cpp -- call paths that differ only in the number of an iteration.
#include "replay/iterations/loop_paths.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

namespace tarry {
namespace {

bool is_iteration(const Region& region) {
  return region.role == RegionRole::kDynamic || region.role == RegionRole::kDynamicPhase ||
         region.role == RegionRole::kDynamicLoop;
}

// For each region, the first iteration of the same loop; others stand for themselves.
std::vector<RegionId> first_iterations(const RegionTable& regions) {
  std::map<std::tuple<std::string_view, std::string_view, std::uint32_t>, RegionId> loops;
  std::vector<RegionId> first;
  for (std::uint32_t i = 0; i < regions.size(); ++i) {
    const RegionId id(i);
    const std::string_view name = regions.name(id);
    const std::size_t mark = is_iteration(regions.region(id)) ? name.rfind('=') : name.npos;
    if (mark == name.npos) first.push_back(id);
    else
      first.push_back(
          loops.try_emplace({name.substr(0, mark), regions.file(id), regions.region(id).begin_line}, id).first->second);
  }
  return first;
}

}  // namespace

std::vector<PathIndex> merge_loop_paths(const RegionTable& regions, const CallTree& tree) {
  const std::vector<RegionId> first = first_iterations(regions);
  bool has_loops = false;
  for (std::uint32_t i = 0; i < first.size(); ++i) has_loops |= first[i] != RegionId(i);
  if (!has_loops) return {};
  std::map<std::pair<PathIndex, std::uint32_t>, PathIndex> paths;
  std::vector<PathIndex> merged;
  for (PathIndex path = 0; path < tree.size(); ++path) {
    const PathIndex parent = tree[path].parent == kNoPath ? kNoPath : merged[tree[path].parent];
    merged.push_back(paths.try_emplace({parent, first[tree[path].region.value].value}, path).first->second);
  }
  return merged;
}

}  // namespace tarry

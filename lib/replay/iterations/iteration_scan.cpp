// iteration_scan.cpp -- gives the iterations of a time series call paths of their own while a process is read.
#include "replay/iterations/iteration_scan.hpp"

#include <algorithm>

namespace tarry {

// A call path is marked when it is made, and those below come later.
bool IterationScan::is_inside(PathIndex path) {
  while (is_inside_.size() < rank_.tree.size()) {
    const PathIndex parent = rank_.tree[static_cast<PathIndex>(is_inside_.size())].parent;
    is_inside_.push_back(parent != kNoPath && is_inside_[parent]);
  }
  return path != kNoPath && is_inside_[path];
}

void IterationScan::add(PathIndex path, std::uint64_t first) {
  is_inside(path);
  is_inside_[path] = true;
  rank_.iterations.push_back({path, first});
}

PathIndex IterationScan::enter(PathIndex parent, RegionId region, std::uint64_t& visits) {
  if (is_inside(parent)) return rank_.tree.child(parent, region);
  const bool is_numbered = marks_->is_numbered(region);
  const std::uint64_t ordinal = is_numbered ? marks_->ordinal_of(region) : marks_->ordinal_of_visit(visits++);
  rank_.iteration_count = std::max(rank_.iteration_count, ordinal + 1);
  const std::size_t known = rank_.tree.size();
  const PathIndex usual = rank_.tree.child(parent, region);
  if (is_numbered) {
    if (usual >= known) add(usual, ordinal);
    return usual;
  }
  const IterationGroup group = marks_->group_of(ordinal);
  PathIndex& path = path_of_group_.insert(std::uint64_t{usual} << 32 | group.key, kNoPath);
  if (path != kNoPath) return path;
  path = usual >= known ? usual : rank_.tree.add_twin(usual);
  add(path, group.first);
  return path;
}

}  // namespace tarry

// loop_iterations.cpp -- ends iterations: moves their values to those of a cluster.
#include "measure/core/loop_iterations.hpp"

#include <sys/mman.h>

#include "base/arrays/flat_map.hpp"
#include "measure/core/path_walk.hpp"

namespace tarry::measure {
namespace {

// Which group of call paths a condensed profile sums up this one with.
std::size_t group_of(const PathNode& path, const PathNode& root) {
  const std::uint64_t caller = &path == &root || !path.parent ? 0 : path.parent->region.value + 1ull;
  return mix_bits(path.region.value * 0x100000001ull + caller) % CondensedProfile::kGroups;
}

CondensedProfile condense(PathNode& root) {
  CondensedProfile sums;
  for (PathNode* path = &root; path; path = next_in_tree(path, root)) {
    const auto time = static_cast<double>(path->time);
    sums.time[group_of(*path, root)] += time;
    if (path != &root) sums.time[group_of(*path->parent, root)] -= time;
    sums.visits[group_of(*path, root)] += static_cast<double>(path->visits);
    if (path->transfers) sums.bytes += static_cast<double>(path->transfers->bytes());
  }
  return sums;
}

// Zeros are empty clusters.
LoopClusters* make_clusters() {
  void* const memory =
      ::mmap(nullptr, sizeof(LoopClusters), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<LoopClusters*>(memory);
}

}  // namespace

void LoopIterations::begin(RegionId region, std::int64_t number, std::uint32_t most) {
  if (!paths_.has_memory()) return;
  PathNode* const loop = paths_.child_of(*paths_.open_path(), region);
  if (!loop) return;
  if (!loop->clusters) {
    loop->clusters = make_clusters();
    if (!loop->clusters) return;
    loop->clusters->most = most;
  } else if (loop->visits > 0) {
    end(*loop);
  }
  loop->clusters->running = number;
}

// Those below the places of teams are not below the root.
template <class Visit>
void LoopIterations::each_path(Visit visit) {
  const auto each_below = [&](PathNode& root) {
    for (PathNode* path = &root; path; path = next_in_tree(path, root)) visit(*path);
  };
  each_below(paths_.root());
  for (PathNode* place = paths_.team_places(); place; place = place->next_sibling) each_below(*place);
}

// The loop's own path is empty again afterwards.
void LoopIterations::end(PathNode& loop) {
  LoopClusters& clusters = *loop.clusters;
  const auto decision = clusters.iterations.add(clusters.running, condense(loop), clusters.most);
  if (decision.emptied != IterationClusters::kNone && clusters.paths[decision.emptied] &&
      clusters.paths[decision.filled])
    move_values(*clusters.paths[decision.emptied], *clusters.paths[decision.filled]);
  PathNode* const path = path_of_cluster(loop, decision.cluster);
  if (path) move_values(loop, *path);  // else this iteration and the next are one
}

PathNode* LoopIterations::path_of_cluster(PathNode& loop, std::uint32_t cluster) {
  PathNode*& path = loop.clusters->paths[cluster];
  if (path) return path;
  path = paths_.slabs().new_path();
  if (!path) return nullptr;
  path->region = loop.region;
  path->parent = loop.parent;
  paths_.slabs().count_path();
  return path;
}

// Call paths that were not visited have no values below them either. Without memory for a call path it is left out, and
// its time remains in its parent.
void LoopIterations::move_values(PathNode& from, PathNode& into) {
  PathNode* source = &from;
  PathNode* target = &into;
  PathNode* above = nullptr;  // where the values of source's parent went
  while (true) {
    if (target) {
      values_.add(*target, *source);
      values_.clear(*source);
    } else if (source->visits > 0) {
      values_.forget(*source);
    }
    if (PathNode* const below = target ? first_child(*source) : nullptr) {
      above = target;
      source = below;
    } else {
      while (source != &from && is_last_child(*source)) {
        source = source->parent;
        above = above->parent;
      }
      if (source == &from) return;
      source = source->next_sibling;
    }
    target = source->visits > 0 ? paths_.child_of(*above, source->region) : nullptr;
  }
}

void LoopIterations::end_all() {
  each_path([&](PathNode& path) {
    if (path.clusters && path.visits > 0) end(path);
  });
}

void LoopIterations::release() {
  each_path([](PathNode& path) {
    if (path.clusters) ::munmap(path.clusters, sizeof(LoopClusters));
  });
}

}  // namespace tarry::measure

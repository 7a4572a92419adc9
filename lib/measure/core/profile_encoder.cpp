// profile_encoder.cpp -- call paths in the order of a profile, and what belongs to them.
#include "measure/core/profile_encoder.hpp"

#include <algorithm>

#include "measure/core/loop_iterations.hpp"
#include "measure/core/path_walk.hpp"

namespace tarry::measure {

// The paths of clusters replace the path of their loop. What is listed last is taken first.
void ProfileEncoder::list_children(PathNode& parent) {
  const auto before = static_cast<std::ptrdiff_t>(pending_.size());
  each_child(parent, [&](PathNode& child) {
    if (child.visits > 0) pending_.push_back(&child);
    if (!child.clusters) return;
    loops_.push_back(child.clusters);
    for (std::uint32_t i = 0; i < child.clusters->iterations.count(); ++i)
      if (PathNode* path = child.clusters->paths[i]) pending_.push_back(path);
  });
  std::reverse(pending_.begin() + before, pending_.end());
}

void ProfileEncoder::add_clusters(const LoopClusters& clusters) {
  std::vector<std::size_t> place(clusters.iterations.count());
  for (std::uint32_t i = 0; i < clusters.iterations.count(); ++i) {
    place[i] = profile_.clusters.size();
    if (clusters.paths[i]) profile_.clusters.push_back({clusters.paths[i]->index, {}});
  }
  for (const IterationClusters::Run& run : clusters.iterations.runs())
    if (clusters.paths[run.cluster]) profile_.clusters[place[run.cluster]].runs.push_back({run.first, run.count});
}

ProfileNode ProfileEncoder::node_of(const PathNode& path) const {
  ProfileNode node = profile_node(path, path.transfers);
  if (!paths_.is_outermost(path)) node.parent = path.parent->index;
  return node;
}

void ProfileEncoder::add(PathNode& path) {
  path.index = static_cast<std::uint32_t>(profile_.nodes.size());
  if (path.is_fork) profile_.forks.push_back({path.index, fork_number(path, paths_.slabs().thread())});
  if (path.parent->region == kTeamPlace) profile_.teams.push_back({path.index, path.parent->fork});
  profile_.nodes.push_back(node_of(path));
  std::vector<std::uint64_t> values(counters_.ids().size());
  counters_.read(path, values);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (counters_.ids()[i].is_valid()) profile_.counter_values.push_back(values[i]);
}

// Parents before children: depth first, without recursion, as the tree may be deep.
bool ProfileEncoder::collect() {
  const std::uint64_t count = paths_.slabs().path_count();
  for (const CounterId id : counters_.ids())
    if (id.is_valid()) profile_.counters.push_back(id.value);
  profile_.nodes.reserve(count);
  for (PathNode* place = paths_.team_places(); place; place = place->next_sibling) list_children(*place);
  list_children(paths_.root());
  while (!pending_.empty() && profile_.nodes.size() < count) {
    PathNode& path = *pending_.back();
    pending_.pop_back();
    add(path);
    list_children(path);
  }
  for (const LoopClusters* loop : loops_) add_clusters(*loop);
  const ProfileHead& head = paths_.head();
  for (const ReceiverNode* node = head.receivers; node; node = node->next) profile_.receivers.push_back(node->count);
  for (const FileNode* node = head.files; node; node = node->next) profile_.files.push_back(node->count);
  return pending_.empty();
}

bool ProfileEncoder::end_open_paths(Ticks time) {
  paths_.suspended().each_open_task([&](const PathNode& task, Ticks shortest) {
    if (task.index < profile_.nodes.size()) profile_.nodes[task.index].min_time = shortest;
  });
  for (const PathNode* path = paths_.innermost(); path && path != &paths_.root() && path->region != kTeamPlace;
       path = path->parent) {
    if (path->index >= profile_.nodes.size()) return false;
    end_visit(profile_.nodes[path->index], path->entered_at, time);
  }
  return true;
}

}  // namespace tarry::measure

// path_tree.cpp -- new call paths, and those that are not near.
#include "measure/core/path_tree.hpp"

#include <atomic>

#include "measure/core/path_walk.hpp"

namespace tarry::measure {
namespace {

// It is likely to be entered after that one again.
void enter_after_latest(PathNode& parent, PathNode& child) {
  if (parent.latest_child) parent.latest_child->follower = &child;
  parent.latest_child = &child;
}

// Behind the one that was entered last, which a reader of profiles then meets first.
void add_to_ring(PathNode& parent, PathNode& child) {
  PathNode* const latest = parent.latest_child;
  child.follower = &child;
  child.next_sibling = latest ? latest->next_sibling : &child;
  std::atomic_signal_fence(std::memory_order_release);  // another thread may walk through the ring
  if (latest) latest->next_sibling = &child;
  enter_after_latest(parent, child);
}

}  // namespace

void PathTree::outlive_process(BlockPool& pool, WorldRank process, std::uint32_t thread) {
  ProfileHead* const spooled = slabs_.outlive_process(pool, process, thread);
  if (!spooled) return;
  *spooled = *head_;
  head_ = spooled;
}

PathNode* PathTree::new_child(PathNode& parent, RegionId region) {
  PathNode* const child = slabs_.new_path();
  if (!child) return nullptr;
  child->region = region;
  child->parent = &parent;
  slabs_.count_path();
  return child;
}

PathNode* PathTree::child_of(PathNode& parent, RegionId region) {
  if (parent.has_index) return child_of_indexed(parent, region);
  std::size_t steps = 0;
  if (PathNode* child = parent.latest_child) {
    do {
      if (child->region == region) {
        enter_after_latest(parent, *child);
        return child;
      }
      child = child->next_sibling;
      ++steps;
    } while (child != parent.latest_child);
  }
  PathNode* const child = new_child(parent, region);
  if (!child) return nullptr;
  add_to_ring(parent, *child);
  if (steps > kMostSteps) [[unlikely]]
    index_children(parent);
  return child;
}

// The same where walking through all children would take long.
PathNode* PathTree::child_of_indexed(PathNode& parent, RegionId region) {
  PathNode* child = index_.find({parent, region});
  if (child) {
    enter_after_latest(parent, *child);
  } else if ((child = new_child(parent, region))) {
    add_to_ring(parent, *child);
    if (!index_.add(*child)) parent.has_index = 0;
  }
  return child;
}

// Without memory for the index, walking goes on.
void PathTree::index_children(PathNode& parent) {
  bool has_all = true;
  each_child(parent, [&](PathNode& child) { has_all = has_all && index_.add(child); });
  parent.has_index = has_all;
}

[[gnu::noinline]] PathNode* PathTree::find_child(RegionId region) {
  if (!has_memory()) {
    ++missed_depth_;
    return nullptr;
  }
  PathNode* const child = child_of(*current_, region);
  if (!child) {
    overflow_.parent = current_;
    open(&overflow_);
    missed_depth_ = 1;
  }
  return child;
}

// nullptr outside of all regions.
PathNode* PathTree::place_of_tasks() {
  PathNode* path = current_;
  if (path == &root_ || !has_memory() || path->region == kTeamPlace) return nullptr;
  while (!path->is_parallel && !is_outermost(*path)) path = path->parent;
  return path;
}

PathNode* PathTree::begin_task(Ticks time, RegionId region) {
  PathNode* const around = place_of_tasks();
  PathNode* const task = around && around != current_ ? child_of(*around, region) : nullptr;
  if (!task || !suspended_.begin(current_, around, *task, time)) return nullptr;
  open(around);
  return task;
}

[[gnu::noinline]] void PathTree::leave_task(PathNode& task, Ticks time) {
  const Ticks spent = time - task.entered_at;
  add_visit(task, spent);
  open(suspended_.end(task, time, spent));
}

void PathTree::leave_all_missed() {
  if (missed_depth_) open(overflow_.parent);
  missed_depth_ = 0;
}

std::uint64_t PathTree::mark_fork() {
  PathNode* const path = current_;
  if (path == &root_ || path == &overflow_ || path->region == kTeamPlace) return 0;
  path->is_fork = 1;
  return fork_number(*path, slabs_.thread());
}

// Most programs come back to the same few parallel regions: the place that was used last is the first in the list.
void PathTree::begin_team(std::uint64_t fork) {
  if (!fork || current_ != &root_) return;
  PathNode** link = &team_places_;
  while (*link && (*link)->fork != fork) link = &(*link)->next_sibling;
  PathNode* place = *link;
  if (place) {
    *link = place->next_sibling;
  } else {
    place = slabs_.new_path();
    if (!place) return;
    place->region = kTeamPlace;
    place->parent = &root_;
    place->fork = fork;
    slabs_.count_path();
  }
  place->next_sibling = team_places_;
  current_ = team_places_ = place;
}

void PathTree::release() {
  index_.clear();
  suspended_.release();
  slabs_.release();
}

std::uint64_t PathTree::depth() const {
  std::uint64_t depth = missed_depth_ + suspended_.depth();
  for (const PathNode* path = innermost(); path && path != &root_; path = path->parent)
    depth += path->region != kTeamPlace;
  return depth;
}

}  // namespace tarry::measure

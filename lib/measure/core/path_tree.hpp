// path_tree.hpp -- the call paths of one thread, and the one that is open.
//
// An enter looks at the child that was entered last, and at the one that followed that the last time. Then it walks
// through all others. Where there are many, it asks an index. Without memory for a new path, a region and all that it
// calls count as part of the path around it.
//
// Calls: handler-safe.
#pragma once

#include <cstdint>

#include "archive/profile/profile_memory.hpp"
#include "base/units.hpp"
#include "defs/definitions.hpp"
#include "measure/core/node_index.hpp"
#include "measure/core/profile_slabs.hpp"
#include "measure/core/suspended_paths.hpp"
#include "trace/event_codec.hpp"

namespace tarry::measure {

/// A call path among those below `parent`.
struct ChildKey {
  ChildKey(const PathNode& parent, RegionId region) : parent(&parent), region(region) {}
  explicit ChildKey(const PathNode& path) : parent(path.parent), region(path.region) {}
  bool operator==(const ChildKey&) const = default;
  std::uint64_t hash() const { return reinterpret_cast<std::uintptr_t>(parent) * 0x9e3779b97f4a7c15ull + region.value; }

  const PathNode* parent;
  RegionId region;
};

class PathTree {
 public:
  PathTree() { root_.parent = &root_; }
  PathTree(const PathTree&) = delete;
  PathTree& operator=(const PathTree&) = delete;

  /// From now on call paths are kept in the spool of `pool`. Before the first.
  void outlive_process(BlockPool& pool, WorldRank process, std::uint32_t thread);

  ProfileSlabs& slabs() { return slabs_; }
  ProfileHead& head() { return *head_; }
  /// Above the first region.
  PathNode& root() { return root_; }
  const PathNode& root() const { return root_; }

  /// The path that is open: the root outside of all regions, and one that stands for regions without memory.
  PathNode* open_path() const { return current_; }
  /// Whether there was memory for what is open.
  bool has_memory() const { return current_ != &overflow_; }
  /// The innermost path with memory.
  PathNode* innermost() const { return has_memory() ? current_ : overflow_.parent; }
  /// The same, or nullptr outside of all.
  PathNode* innermost_region() { return innermost() == &root_ ? nullptr : innermost(); }

  /// Regions that are open.
  std::uint64_t depth() const;

  /// Of the latest event.
  Ticks last_time() const { return head_->last_time; }

  /// An event at `time`: how long after the one before it comes.
  std::uint64_t advance(Ticks time) {
    const Ticks delta = time > head_->last_time ? time - head_->last_time : 0;
    head_->last_time += delta;
    return static_cast<std::uint64_t>(delta);
  }
  /// The same if an enter or a leave takes no more than the least in a trace, else false.
  [[gnu::always_inline]] bool advance_little(Ticks time) {
    if (!is_within(time, kLeastLongDelta)) return false;
    head_->last_time = time;
    return true;
  }
  [[gnu::always_inline]] bool is_within(Ticks time, std::uint64_t delta) const {
    return static_cast<std::uint64_t>(time - head_->last_time) < delta;
  }
  /// The same for a caller that has asked is_within().
  [[gnu::always_inline]] void set_last_time(Ticks time) { head_->last_time = time; }

  /// What an enter looks at first. So neither the number of siblings nor their order matters. nullptr if it is neither.
  [[gnu::always_inline]] PathNode* near_child(RegionId region) {
    PathNode* const parent = current_;
    PathNode* const latest = parent->latest_child;
    if (!latest) [[unlikely]]
      return nullptr;
    if (latest->region == region) return latest;
    PathNode* const next = latest->follower;
    if (next->region != region) [[unlikely]]
      return nullptr;
    parent->latest_child = next;
    return next;
  }
  /// What it does then. nullptr without memory: the region is open all the same.
  PathNode* find_child(RegionId region);

  /// Any child of a path, which then is the one entered last; a new one if need be. nullptr without memory.
  PathNode* child_of(PathNode& parent, RegionId region);

  [[gnu::always_inline]] void begin_visit(PathNode& child, Ticks time) {
    child.entered_at = time;
    ++child.visits;
    open(&child);
  }

  /// The path that is open is left. Visits beyond memory end without a path of their own: their one node never gets a
  /// shortest time.
  [[gnu::always_inline]] void end_visit(PathNode& path, Ticks time) {
    const Ticks spent = time - path.entered_at;
    if (spent < path.min_time) [[unlikely]] {
      if (&path == &overflow_) return leave_missed();
      if (suspended_.is_running(path)) return leave_task(path, time);
      path.min_time = spent;
    }
    add_visit(path, spent);
  }
  /// The same, but false if there was no memory, or if it is a task.
  [[gnu::always_inline]] bool end_near_visit(PathNode& path, Ticks time) {
    const Ticks spent = time - path.entered_at;
    if (spent < path.min_time) [[unlikely]] {
      if (&path == &overflow_ || suspended_.is_running(path)) return false;
      path.min_time = spent;
    }
    add_visit(path, spent);
    return true;
  }
  /// The same for a path with memory.
  [[gnu::always_inline]] void end_known_visit(PathNode& path, Ticks spent) {
    if (spent < path.min_time) [[unlikely]]
      path.min_time = spent;
    add_visit(path, spent);
  }

  /// All open regions without memory are left.
  void leave_all_missed();

  /// A task of OpenMP begins. It lies below the parallel region around the open path, or else below the outermost open
  /// path. So a task that waits for another one of its construct has the same call path. Returns the path to be
  /// entered; nullptr: below the open path, as any other region.
  PathNode* begin_task(Ticks time, RegionId region);
  const SuspendedPaths& suspended() const { return suspended_; }

  /// The open path is a parallel region.
  void mark_parallel() {
    if (has_memory()) current_->is_parallel = 1;
  }

  /// A team of OpenMP is forked here; returns where, for its workers. 0 if that is no call path.
  std::uint64_t mark_fork();

  /// Outside of all regions: those that follow lie below such a path of another thread, until end_team().
  void begin_team(std::uint64_t fork);
  void end_team() {
    if (current_->region == kTeamPlace) open(&root_);
  }
  /// Whether a path has none above it in this thread.
  bool is_outermost(const PathNode& path) const { return path.parent == &root_ || path.parent->region == kTeamPlace; }
  /// Gives its memory back: it may be destroyed.
  /// Calls: may block.
  void release();

  /// The places of teams, by next_sibling.
  PathNode* team_places() { return team_places_; }

 private:
  static constexpr std::size_t kMostSteps = 32;  // through a list of children that has no index

  void open(PathNode* path) { head_->current = current_ = path; }
  [[gnu::always_inline]] void add_visit(PathNode& path, Ticks spent) {
    path.time += spent;
    if (spent > path.max_time) [[unlikely]]
      path.max_time = spent;
    open(path.parent);
  }
  void leave_missed() {
    if (--missed_depth_ == 0) open(overflow_.parent);
  }

  void leave_task(PathNode& task, Ticks time);
  PathNode* place_of_tasks();
  PathNode* child_of_indexed(PathNode& parent, RegionId region);
  PathNode* new_child(PathNode& parent, RegionId region);
  void index_children(PathNode& parent);

  PathNode* current_ = &root_;  // copy of head_->current for the fast path
  ProfileHead* head_ = &own_head_;
  PathNode root_;                            // not encoded
  PathNode overflow_;                        // represents regions entered without memory for a path; not encoded
  ProfileHead own_head_{.current = &root_};  // without a slab that outlives the process
  ProfileSlabs slabs_{root_};
  NodeIndex<PathNode, ChildKey> index_;
  SuspendedPaths suspended_;         // by tasks that run now
  PathNode* team_places_ = nullptr;  // those of one parallel region come first
  std::uint64_t missed_depth_ = 0;   // open regions that overflow_ represents
};

}  // namespace tarry::measure

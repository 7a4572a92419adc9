// wait_groups.hpp -- the waits whose causes are told one by one: those at the call paths where most time is waited.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "analysis/sync_points/counted_waits.hpp"
#include "analysis/sync_points/sync_points.hpp"
#include "replay/trees/unified_tree.hpp"

namespace tarry {

/// Number of a group; kNoGroup: its causes are only part of the sums of all.
using GroupNumber = std::uint8_t;
inline constexpr GroupNumber kNoGroup = 0xff;

/// Waits of one kind at one call path, of all threads.
struct WaitGroup {
  WaitKind kind = WaitKind::kNone;
  PathIndex path = kNoPath;  // in the unified tree; of a loop, in its first iteration
  Ticks wait = 0;            // what of it counts
};

/// The groups of a trace, most waiting first. There are few: each costs a number for each wait of the trace.
class WaitGroups {
 public:
  static constexpr std::size_t kMost = 8;

  /// No group: nothing is told.
  WaitGroups() = default;

  /// The largest groups, up to those with less than 1 % of all waiting. Collective over the analysis processes; all
  /// get the same.
  static WaitGroups find(const Trace& trace, const AllSyncPoints& sync, const UnifiedTree& tree,
                         const CountedWaits& counted);

  const std::vector<WaitGroup>& all() const { return groups_; }
  bool empty() const { return groups_.empty(); }

  /// The group of a wait at a sync point of a process, wherever that is hosted.
  GroupNumber of(RankIndex rank, const SyncPoint& wait) const {
    if (groups_.empty()) return kNoGroup;
    const std::vector<Member>& members = members_[rank];
    auto at = std::lower_bound(members.begin(), members.end(), wait.path,
                               [](const Member& member, PathIndex path) { return member.path < path; });
    for (; at != members.end() && at->path == wait.path; ++at)
      if (at->kind == wait.kind) return at->group;
    return kNoGroup;
  }

  /// The path of the unified tree that stands for one in all iterations of its loop.
  PathIndex shown(PathIndex path) const { return loop_paths_.empty() ? path : loop_paths_[path]; }

 private:
  // A call path of one process that belongs to a group.
  struct Member {
    PathIndex path = kNoPath;  // in its own tree
    SyncKind kind = SyncKind::kInit;
    GroupNumber group = kNoGroup;
  };

  std::vector<WaitGroup> waits_of(RankIndex rank, const AllSyncPoints& sync, const UnifiedTree& tree,
                                  const CountedWaits& counted) const;
  void find_members(const Trace& trace, const UnifiedTree& tree);

  std::vector<WaitGroup> groups_;
  Indexed<RankIndex, std::vector<std::vector<Member>>> members_;  // by path
  std::vector<PathIndex> loop_paths_;                             // from merge_loop_paths()
};

}  // namespace tarry

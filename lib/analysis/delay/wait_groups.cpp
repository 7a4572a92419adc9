// wait_groups.cpp -- finds the call paths where most time is waited.
#include "analysis/delay/wait_groups.hpp"

#include <algorithm>
#include <tuple>

#include "replay/iterations/loop_paths.hpp"
#include "base/arrays/flat_map.hpp"
#include "base/arrays/sum_equal.hpp"

namespace tarry {
namespace {

constexpr double kLeastShare = 0.01;  // of all waiting

// Waits by kind and call path, in order of these.
std::vector<WaitGroup> merged(std::vector<WaitGroup> groups) {
  const auto key = [](const WaitGroup& group) { return std::tuple(group.path, group.kind); };
  sum_equal(groups, key, [](WaitGroup& sum, const WaitGroup& group) { sum.wait += group.wait; });
  return groups;
}

// Those of all processes, from those of each. Collective.
std::vector<WaitGroup> share_waits(Exchange& exchange, std::vector<WaitGroup> own) {
  MessageBuffer buffer;
  buffer.put_all(merged(std::move(own)));
  std::vector<WaitGroup> all;
  for (MessageBuffer& arrived : exchange.share(std::move(buffer))) {
    const auto groups = arrived.get_all<WaitGroup>();
    all.insert(all.end(), groups.begin(), groups.end());
  }
  return merged(std::move(all));
}

}  // namespace

WaitGroups WaitGroups::find(const Trace& trace, const AllSyncPoints& sync, const UnifiedTree& tree,
                            const CountedWaits& counted) {
  WaitGroups found;
  found.loop_paths_ = merge_loop_paths(trace.regions(), tree.tree);
  Indexed<RankIndex, std::vector<std::vector<WaitGroup>>> of_ranks(sync.size());
  trace.for_each_hosted([&](RankIndex rank) { of_ranks[rank] = found.waits_of(rank, sync, tree, counted); });
  std::vector<WaitGroup> own;
  for (const std::vector<WaitGroup>& groups : of_ranks) own.insert(own.end(), groups.begin(), groups.end());
  found.groups_ = share_waits(trace.exchange(), std::move(own));
  double all = 0;
  for (const WaitGroup& group : found.groups_) all += static_cast<double>(group.wait);
  std::ranges::stable_sort(found.groups_, [](const WaitGroup& a, const WaitGroup& b) { return a.wait > b.wait; });
  if (found.groups_.size() > kMost) found.groups_.resize(kMost);
  std::erase_if(found.groups_,
                [&](const WaitGroup& group) { return static_cast<double>(group.wait) <= kLeastShare * all; });
  if (!found.groups_.empty()) found.find_members(trace, tree);
  return found;
}

std::vector<WaitGroup> WaitGroups::waits_of(RankIndex rank, const AllSyncPoints& sync, const UnifiedTree& tree,
                                            const CountedWaits& counted) const {
  const std::vector<PathIndex>& to_unified = tree.to_unified[rank];
  FlatMap<std::uint64_t, Ticks> sums;  // by path and kind
  for (const ThreadIndex t : sync[rank].ids()) {
    const auto& points = sync[rank][t].points;
    for (const SyncIndex at : points.ids()) {
      const SyncPoint& point = points[at];
      const bool has_path = point.path < to_unified.size();
      if (point.wait <= 0 || !has_path || wait_kind(point.kind) == WaitKind::kNone) continue;
      sums.insert(std::uint64_t{shown(to_unified[point.path])} << 8 | std::uint64_t(point.kind)) +=
          counted.empty() ? point.wait : counted[rank][t][at];
    }
  }
  std::vector<WaitGroup> groups;
  sums.for_each([&](std::uint64_t key, Ticks wait) {
    groups.push_back({wait_kind(static_cast<SyncKind>(key & 0xff)), static_cast<PathIndex>(key >> 8), wait});
  });
  return groups;
}

// Everybody gets those of all processes: their own call trees are known only where they are hosted.
void WaitGroups::find_members(const Trace& trace, const UnifiedTree& tree) {
  FlatMap<PathIndex, bool> is_wanted;
  for (const WaitGroup& group : groups_) is_wanted.insert(group.path);
  members_.resize(trace.ranks().size());
  trace.for_each_hosted([&](RankIndex rank) {
    const std::vector<PathIndex>& to_unified = tree.to_unified[rank];
    for (PathIndex path = 0; path < to_unified.size(); ++path) {
      const PathIndex unified = shown(to_unified[path]);
      if (!is_wanted.find(unified)) continue;
      const auto groups = static_cast<GroupNumber>(groups_.size());
      for (GroupNumber group = 0; group < groups; ++group)
        if (groups_[group].path == unified) members_[rank].push_back({path, sync_kind(groups_[group].kind), group});
    }
  });
  if (trace.exchange().size() == 1) return;
  MessageBuffer own;
  for (const RankIndex rank : members_.ids()) {
    if (!trace.is_hosted(rank)) continue;
    own.put(rank);
    own.put_all(members_[rank]);
  }
  for (MessageBuffer& arrived : trace.exchange().share(std::move(own)))
    while (!arrived.is_read()) {
      const auto rank = arrived.get<RankIndex>();
      members_[rank] = arrived.get_all<Member>();
    }
}

}  // namespace tarry

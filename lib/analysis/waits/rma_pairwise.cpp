// rma_pairwise.cpp -- how many processes one-sided synchronisation calls synchronise with, and how many for nothing.
//
//   MPI_Win_fence: all processes of the window; those that neither accessed this one's memory since the fence before
//   nor were accessed by it are unneeded. MPI_Win_complete: the group of the start, but for those that were accessed.
//   MPI_Win_wait: the group of the post, but for those that accessed.
//
// Needs: the accesses of each epoch. Leaves: numbers of pairs. Source: docs/METRICS.md, "Unneeded".
#include <algorithm>
#include <set>

#include "analysis/waits/pattern.hpp"

namespace tarry {

void rma_pairwise(const WindowCollective& fence, WindowFindings& findings) {
  std::vector<std::set<std::uint32_t>> others(fence.members.size());  // that a member exchanged something with
  FlatMap<WorldRank, std::uint32_t> place;                            // among the members
  for (std::uint32_t i = 0; i < fence.members.size(); ++i) place.insert(fence.world_ranks[i]) = i;
  for (std::uint32_t i = 0; i < fence.members.size(); ++i)
    for (const WindowRecord* access : fence.members[i].accesses)
      if (const std::uint32_t* target = place.find(access->target); target && *target != i) {
        others[i].insert(*target);
        others[*target].insert(i);
      }
  const auto size = static_cast<std::uint32_t>(fence.members.size());
  for (std::uint32_t i = 0; i < size; ++i)
    findings.add_pairs(fence.members[i].part, size, size - 1 - static_cast<std::uint32_t>(others[i].size()));
}

void rma_pairwise(const AccessEpoch& epoch, WindowFindings& findings) {
  const auto is_idle = [&](const AccessEpoch::Target& target) { return epoch.accesses_to(target.world_rank).empty(); };
  findings.add_pairs(epoch.complete, static_cast<std::uint32_t>(epoch.targets.size()),
                     static_cast<std::uint32_t>(std::ranges::count_if(epoch.targets, is_idle)));
}

void rma_pairwise(const ExposureEpoch& epoch, WindowFindings& findings) {
  const auto accesses_here = [&](const AccessEpoch* origin) { return !origin->accesses_to(epoch.world_rank).empty(); };
  const auto active = static_cast<std::size_t>(std::ranges::count_if(epoch.origins, accesses_here));
  findings.add_pairs(epoch.wait, static_cast<std::uint32_t>(epoch.group_size),
                     static_cast<std::uint32_t>(epoch.group_size - active));
}

}  // namespace tarry

// rma_wait_at_fence.cpp -- Wait at Fence: until the last process comes to a fence. Early Fence: the part of it before
// the last access to the waiting process's memory has ended.
//
//   rank 0             B== Early Fence ==|== waits ==|....X     wait = B_1 - B_0, if min X > max B
//   rank 1   [ MPI_Put to 0 ............]O           B....X     early fence = min(O, B_1) - B_0
//
// Needs: BEGIN (B) and END (X) of all members, the accesses since the fence before and when their calls end (O).
// Leaves: waits, with the last process, or the last accessing one, as the cause.
// Source: docs/METRICS.md, "Wait at Fence".
#include <algorithm>

#include "analysis/waits/pattern.hpp"

namespace tarry {

void rma_wait_at_fence(const WindowCollective& instance, WindowFindings& findings) {
  rma_wait_for_last(instance, WindowWait::Kind::kFence, findings);
  const auto begin = [](const WindowCollective::Member& m) { return m.part.record->begin; };
  const auto end = [](const WindowCollective::Member& m) { return m.part.record->end; };
  const Ticks last = begin(*std::ranges::max_element(instance.members, {}, begin));
  if (end(*std::ranges::min_element(instance.members, {}, end)) <= last) return;
  FlatMap<WorldRank, WindowPart> last_access;  // by target
  for (const WindowCollective::Member& origin : instance.members)
    for (const WindowRecord* access : origin.accesses) {
      WindowPart& latest = last_access.insert(access->target);
      if (!latest.record || access->leave > latest.record->leave) latest = {origin.part.rank, access};
    }
  for (std::size_t i = 0; i < instance.members.size(); ++i) {
    const WindowPart& part = instance.members[i].part;
    const WindowPart* access = last_access.find(instance.world_ranks[i]);
    if (!access || access->record->leave > part.record->end) continue;
    const Ticks until = std::min(access->record->leave, last);
    findings.add_wait(part, WindowWait::Kind::kEarlyFence, part.record->begin, until - part.record->begin, *access);
  }
}

}  // namespace tarry

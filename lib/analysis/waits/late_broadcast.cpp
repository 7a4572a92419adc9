// late_broadcast.cpp -- Late Broadcast: receivers of a 1-to-N operation wait for the root.
//
//   rank 0   B== waits ==|...X          wait_0 = B_root - B_0
//   root                 B...X
//   rank 2                  B.X         enters after the root: does not wait
//
// Needs: BEGIN and END of all members, bytes. Leaves: waits of the receivers that entered before the root, with the
// root as the cause. If no process waits or the root sends nothing, the operation synchronises no process.
// Source: docs/METRICS.md, "Late Broadcast"; Boehme, section 2.4.
#include "analysis/waits/pattern.hpp"

namespace tarry {

void late_broadcast(const CollectiveOperation& instance) {
  const std::size_t root = instance.root();
  if (root == instance.size() || instance[root].sent == 0) return;
  bool someone_waits = false;
  for (std::size_t i = 0; i < instance.size(); ++i) {
    CollectiveWait& found = instance.found(i);
    found.is_synchronised = instance[i].received > 0 && instance[i].begin < instance[root].begin;
    found.partners = found.is_synchronised ? CollectiveWait::Partners::kCause : CollectiveWait::Partners::kNone;
    someone_waits |= found.is_synchronised;
  }
  if (!someone_waits) return;
  const Ticks earliest = earliest_end(instance);  // among those that wait
  instance.found(root).list = synchronised_members(instance, root);
  instance.found(root).partners = CollectiveWait::Partners::kList;
  instance.found(root).is_synchronised = true;
  settle(instance, root, earliest);
}

}  // namespace tarry

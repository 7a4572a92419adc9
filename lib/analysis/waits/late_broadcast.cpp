// late_broadcast.cpp -- Late Broadcast: receivers of a 1-to-N operation wait for the root.
//
//   rank 0   B== waits ==|...X          wait_0 = B_root - B_0
//   root                 B...X
//   rank 2                  B.X         enters after the root: does not wait
//
// Needs: BEGIN and END of all members, bytes. Leaves: waits of the receivers that entered before the root, the root as
// the cause; nobody is synchronised if nobody waits or the root sends nothing.
// Source: docs/METRICS.md, "Late Broadcast"; Boehme, section 2.4.
#include "analysis/waits/pattern.hpp"

namespace tarry {

void late_broadcast(const CollectiveInstance& instance) {
  Collective* root = instance.root();
  if (!root || root->sent == 0) return;
  bool someone_waits = false;
  for (std::size_t i = 0; i < instance.size(); ++i) {
    Collective& part = instance[i];
    part.is_synchronised = part.received > 0 && part.begin < root->begin;
    part.partners = part.is_synchronised ? Collective::Partners::kCause : Collective::Partners::kNobody;
    someone_waits |= part.is_synchronised;
  }
  if (!someone_waits) return;
  const Ticks earliest = earliest_end(instance);  // among those that wait
  root->list = synchronised_members(instance, root->root);
  root->partners = Collective::Partners::kList;
  root->is_synchronised = true;
  settle(instance, root->root, earliest);
}

}  // namespace tarry

// early_reduce.cpp -- Early Reduce: the root of an N-to-1 operation waits for the last sender.
//
//   root     B====== waits ======|...X        wait_root = B_last - B_root
//   rank 1        B.X
//   rank 2                       B.X          the last of those that send
//
// Needs: BEGIN and END, bytes. Leaves: the root's wait, the last sender as the cause.
// Source: docs/METRICS.md, "Early Reduce"; Boehme, section 2.4.
#include "analysis/waits/pattern.hpp"

namespace tarry {

void early_reduce(const CollectiveInstance& instance) {
  Collective* root = instance.root();
  if (!root || root->received == 0) return;
  const std::size_t last = last_to_begin(instance, [](const Collective& part) { return part.sent > 0; });
  if (last == instance.size() || root->begin >= instance[last].begin) return;
  root->is_synchronised = true;
  root->partners = Collective::Partners::kCause;
  instance[last].is_synchronised = true;
  instance[last].list = synchronised_members(instance, last);
  instance[last].partners = Collective::Partners::kList;
  settle(instance, last, earliest_end(instance));
}

}  // namespace tarry

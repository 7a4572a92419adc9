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

void early_reduce(const CollectiveOperation& instance) {
  const std::size_t root = instance.root();
  if (root == instance.size() || instance[root].received == 0) return;
  const std::size_t last = last_to_begin(instance, [](const Collective& part) { return part.sent > 0; });
  if (last == instance.size() || instance[root].begin >= instance[last].begin) return;
  instance.found(root).is_synchronised = true;
  instance.found(root).partners = CollectiveWait::Partners::kCause;
  instance.found(last).is_synchronised = true;
  instance.found(last).list = synchronised_members(instance, last);
  instance.found(last).partners = CollectiveWait::Partners::kList;
  settle(instance, last, earliest_end(instance));
}

}  // namespace tarry

// wait_at_nxn.cpp -- Wait at N x N: all wait for the last to enter; N x N Completion: after the first has left.
//
//   rank 0   B======== waits ========|....X
//   rank 1        B==== waits =======|....X
//   rank 2                           B....X
//
// That is true if all were inside at the same time (first END after last BEGIN). If not, some had no need to wait for
// all: their parts of a v operation have zero bytes. Then the last sender is the cause, and receivers that came before
// it waited.
//
// Needs: BEGIN and END of all members, bytes. Leaves: waits, completions, cause; nothing if a member takes no part at
// all (zero bytes both ways). Source: docs/METRICS.md, "Wait at N x N"; Boehme, section 2.4.
#include <algorithm>

#include "analysis/waits/pattern.hpp"

namespace tarry {
namespace {

bool takes_no_part(const Collective& part) { return part.sent == 0 && part.received == 0; }

}  // namespace

void wait_at_nxn(const CollectiveOperation& instance) {
  Ticks first_end = instance[0].end;
  for (std::size_t i = 0; i < instance.size(); ++i) {
    if (takes_no_part(instance[i])) return;
    first_end = std::min(first_end, instance[i].end);
  }
  std::size_t cause = last_to_begin(instance, [](const Collective&) { return true; });
  const bool overlap = first_end > instance[cause].begin;
  if (!overlap) cause = last_to_begin(instance, [](const Collective& part) { return part.sent > 0; });
  if (cause == instance.size()) return;
  if (overlap) {
    synchronise_everybody(instance);
  } else {
    for (std::size_t i = 0; i < instance.size(); ++i)
      instance.found(i).is_synchronised =
          i == cause || (instance[i].received > 0 && instance[i].begin < instance[cause].begin);
    synchronise_one_another(instance);
  }
  settle(instance, cause, earliest_end(instance));
}

}  // namespace tarry

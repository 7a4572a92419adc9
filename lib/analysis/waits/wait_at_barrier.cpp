// wait_at_barrier.cpp -- Wait at Barrier: until the last process enters; Barrier Completion: after the first has left.
//
//   rank 0   B======== waits ========|....X        wait_0       = B_2 - B_0
//   rank 1        B==== waits =======|....X        wait_1       = B_2 - B_1
//   rank 2                           B....X        completion_i = X_i - max(first X, B_2)
//
// Needs: BEGIN (B) and END (X) of all members. Leaves: waits, completions, the last process as the cause.
// Source: docs/METRICS.md, "Wait at Barrier"; Boehme, section 2.4.
#include "analysis/waits/pattern.hpp"

namespace tarry {

void wait_at_barrier(const CollectiveInstance& instance) {
  synchronise_everybody(instance);
  settle(instance, last_to_begin(instance, [](const Collective&) { return true; }), earliest_end(instance));
}

}  // namespace tarry

// rma_early_wait.cpp -- Early Wait: waiting in MPI_Win_wait for the processes that access one's memory to complete.
// Late Complete: the part of it after the last access has ended.
//
//   origin   [ MPI_Put ]O        C[ MPI_Win_complete ]
//   target        E[ MPI_Win_wait ==|..............]L     early wait = C - E
//                       |== late ===|                     late complete = C - max(O, E)
//
// C: the last Enter of MPI_Win_complete, not after L; O: the last Leave of an access to this process; over all origins.
//
// Needs: the origins' epochs. Leaves: waits, with the last to complete as the cause.
// Source: docs/METRICS.md, "Early Wait".
#include <algorithm>

#include "analysis/waits/pattern.hpp"

namespace tarry {

void rma_early_wait(const ExposureEpoch& epoch, WindowFindings& findings) {
  const WindowRecord& here = *epoch.wait.record;
  if (here.is_test) return;
  WindowPart last;
  Ticks last_access = here.enter;
  for (const AccessEpoch* origin : epoch.origins) {
    if (!last.record || origin->complete.record->enter > last.record->enter) last = origin->complete;
    for (const WindowRecord* access : origin->accesses_to(epoch.world_rank))
      last_access = std::max(last_access, access->leave);
  }
  if (!last.record) return;
  const Ticks until = std::min(last.record->enter, here.leave);
  findings.add_wait(epoch.wait, WindowWait::Kind::kEarlyWait, here.enter, until - here.enter, last);
  findings.add_wait(epoch.wait, WindowWait::Kind::kLateComplete, last_access, until - last_access, last);
}

}  // namespace tarry

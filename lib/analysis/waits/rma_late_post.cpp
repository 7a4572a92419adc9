// rma_late_post.cpp -- Late Post: waiting of a process that accesses others' memory until they have exposed it.
//
//   origin   E[ MPI_Win_start ====|..]L [ MPI_Put ]  [ MPI_Win_complete ]
//   target A      [ MPI_Win_post ]
//   target B                    P[ MPI_Win_post ]          wait = P - E, if E < P < L
//
// P: Enter of the last post among the targets of the epoch. MPI may wait for it in MPI_Win_complete or MPI_Win_start.
// It may also wait in an access, for the post of that access's target: from the record of the access on.
//
// Needs: Enter of the matching posts; Enter and Leave of the origin's calls. Leaves: waits.
// Source: docs/METRICS.md, "Late Post".
#include "analysis/waits/pattern.hpp"

namespace tarry {
namespace {

bool add_wait_in(const WindowPart& call, Ticks begin, const WindowPart& post, WindowFindings& findings) {
  const Ticks posted = post.record->enter;
  if (begin >= posted || posted >= call.record->leave) return false;
  findings.add_wait(call, WindowWait::Kind::kLatePost, begin, posted - begin, post);
  return true;
}

}  // namespace

void rma_late_post(const AccessEpoch& epoch, WindowFindings& findings) {
  WindowPart last;
  for (const AccessEpoch::Target& target : epoch.targets) {
    if (!target.post.record) continue;
    if (!last.record || target.post.record->enter > last.record->enter) last = target.post;
    for (const WindowRecord* access : epoch.accesses_to(target.world_rank))
      add_wait_in({epoch.start.rank, access}, access->begin, target.post, findings);
  }
  if (!last.record || add_wait_in(epoch.complete, epoch.complete.record->enter, last, findings)) return;
  add_wait_in(epoch.start, epoch.start.record->enter, last, findings);
}

}  // namespace tarry

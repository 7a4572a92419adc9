// rma_lock_contention.cpp -- Lock Contention: waiting for another process to unlock a part of a window.
//
//   rank 0   [lock]  accesses  [ unlock   U  ]
//   rank 1      E[ MPI_Win_lock ==========|..]L  accesses  [unlock]      wait = U - E, if E < U < L
//
// U: the last release, before the own one, of a lock that excludes this one: one of the two must be exclusive. MPI may
// wait in MPI_Win_lock, in an access (from its record on), or in MPI_Win_unlock.
//
// Needs: all locks of one process's part of a window, in the order of release. Leaves: waits.
// Source: docs/METRICS.md, "Lock Contention".
#include "analysis/waits/pattern.hpp"

namespace tarry {
namespace {

void add_lock_wait(const WindowPart& call, Ticks begin, const WindowPart& release, WindowFindings& findings) {
  const Ticks until = release.record->end;
  if (begin < until && until < call.record->leave)
    findings.add_wait(call, WindowWait::Kind::kLockContention, begin, until - begin, release);
}

}  // namespace

void rma_lock_contention(std::span<const LockEpoch> epochs, WindowFindings& findings) {
  const LockEpoch* last = nullptr;
  const LockEpoch* last_exclusive = nullptr;
  for (const LockEpoch& epoch : epochs) {
    const bool is_exclusive = epoch.lock.record->is_exclusive;
    if (const LockEpoch* holder = is_exclusive ? last : last_exclusive) {
      add_lock_wait(epoch.lock, epoch.lock.record->enter, holder->unlock, findings);
      for (const WindowRecord* access : epoch.accesses)
        add_lock_wait({epoch.lock.rank, access}, access->begin, holder->unlock, findings);
      add_lock_wait(epoch.unlock, epoch.unlock.record->enter, holder->unlock, findings);
    }
    last = &epoch;
    if (is_exclusive) last_exclusive = &epoch;
  }
}

}  // namespace tarry

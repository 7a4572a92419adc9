// shmem_late_notifier.cpp -- Late Notifier: waiting for a value that another process writes later.
//
//   process 0   E[ shmem_wait_until =====|..]C          wait = W - E, if E < W < C
//   process 1         computes          W[ shmem_put ]
//
// W: the begin of the last access before the change C that writes to the place that is waited for. A trace of another
// recorder does not tell places; then any access to the process's memory counts.
//
// Needs: the changes that one process has waited for; accesses of all to its memory, by their begin. Leaves: waits.
// Source: docs/METRICS.md, "Late Notifier".
#include <algorithm>

#include "analysis/waits/pattern.hpp"

namespace tarry {
namespace {

bool writes_there(const WindowRecord& write, const WindowRecord& change) {
  if (write.place == WindowRecord::kNoPlace || change.place == WindowRecord::kNoPlace) return true;
  return change.place - write.place < std::max<Bytes>(write.sent, 1);
}

}  // namespace

void shmem_late_notifier(const ChangedMemory& memory, WindowFindings& findings) {
  for (const WindowPart& change : memory.changes) {
    const auto begin_of = [](const WindowPart& part) { return part.record->begin; };
    auto write = std::ranges::lower_bound(memory.writes, change.record->end, {}, begin_of);
    while (write != memory.writes.begin() && begin_of(*--write) > change.record->enter)
      if (writes_there(*write->record, *change.record)) {
        findings.add_wait(change, WindowWait::Kind::kNotifier, change.record->enter,
                          begin_of(*write) - change.record->enter, *write);
        break;
      }
  }
}

}  // namespace tarry

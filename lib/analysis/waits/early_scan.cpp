// early_scan.cpp -- Early Scan: a process in a prefix reduction waits for the last of the ranks up to its own.
//
//   rank 0            B.X
//   rank 1   B= waits =|..X          wait_1 = B_0 - B_1
//   rank 2       B= w =|...X         wait_2 = max(B_0, B_1, B_2) - B_2
//
// Needs: BEGIN and END, bytes. Leaves: waits and the last sender as their cause. A scan synchronises no process with
// all others. Source: docs/METRICS.md, "Early Scan".
#include <algorithm>
#include <limits>

#include "analysis/waits/pattern.hpp"

namespace tarry {

void early_scan(const CollectiveOperation& instance) {
  Ticks latest = std::numeric_limits<Ticks>::min();  // BEGIN of the senders up to here
  std::size_t last = 0;                              // the first of them that began then
  for (std::size_t i = 0; i < instance.size(); ++i) {
    const Collective& part = instance[i];
    if (part.sent > 0 && part.begin > latest) {
      latest = part.begin;
      last = i;
    }
    if (part.sent == 0 && part.received == 0) continue;
    CollectiveWait& found = instance.found(i);
    found.wait = std::max<Ticks>(0, std::min(latest, part.end) - part.begin);
    found.cause = instance.world_rank(last);
    found.cause_index = instance[last].index;
  }
}

}  // namespace tarry

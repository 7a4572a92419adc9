// late_probe.cpp -- Late Sender in a probe: it waits for the message that the receive after it takes.
//
//   sender                    Es[ MPI_Send ]
//   receiver    Ep[ MPI_Probe ====|...]Lp  [ MPI_Recv ]        wait = min(Es, Lp) - Ep
//
// Which receive that is has been found by the scan (message_scan.cpp).
//
// Needs: enter of the send call, enter and leave of the probe. Leaves: RankWaits::late_probes.
// Source: docs/METRICS.md, "Late Sender".
#include <algorithm>

#include "analysis/waits/pattern.hpp"

namespace tarry {

void late_probe(const RankContext& context) {
  if (!context.compatibility.has_probe_waits()) return;
  const LogicalRank& rank = context.rank;
  for (const ProbeIndex i : rank.probes.ids()) {
    const Probe& probe = rank.probes[i];
    if (!probe.receive.is_valid() || !rank.receives[probe.receive].is_matched()) continue;
    const Receive& receive = rank.receives[probe.receive];
    const Send& send = context.sender_side(receive);
    const MpiCall& here = rank.calls[probe.call];
    const MpiCall& there = context.call_of_rank(rank.sender_of(receive), send.call);
    const Ticks wait = std::min(there.enter, here.leave()) - here.enter;
    if (wait <= 0) continue;
    context.waits.waiting_receives.set(probe.receive, rank.receives.size());
    context.waits.late_probes.push_back({i, wait});
    context.add_wait(here, Metric::kLateSender, here.enter, wait, context.cause_of(receive));
    if (context.counts(here.thread, here.enter))
      context.add(here, send.bytes ? Metric::kLateSenderComms : Metric::kLateSenderSyncs, 1);
  }
}

}  // namespace tarry

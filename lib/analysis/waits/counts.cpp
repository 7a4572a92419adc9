// counts.cpp -- how many messages and bytes each call path sends and receives.
//
// A message with payload is a communication, one without a synchronisation; both sides go by the sender's record.
// Source: docs/METRICS.md, "Counts and bytes".
#include "analysis/waits/pattern.hpp"

namespace tarry {

void counts(const RankContext& context) {
  for (const Send& send : context.rank.sends) {
    const MpiCall& call = context.rank.calls[send.call];
    if (!context.counts(call.thread, send.time)) continue;
    context.add(call, send.bytes ? Metric::kCommsSend : Metric::kSyncsSend, 1);
    context.add(call, Metric::kBytesSent, static_cast<double>(send.bytes));
  }
  for (const Receive& receive : context.rank.receives) {
    if (!receive.is_matched()) continue;
    const MpiCall& call = context.rank.calls[receive.call];
    if (!context.counts(call.thread, call.leave())) continue;
    const Bytes bytes = context.sender_side(receive).bytes;
    context.add(call, bytes ? Metric::kCommsReceive : Metric::kSyncsReceive, 1);
    context.add(call, Metric::kBytesReceived, static_cast<double>(bytes));
  }
}

}  // namespace tarry

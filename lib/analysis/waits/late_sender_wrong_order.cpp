// late_sender_wrong_order.cpp -- Messages in Wrong Order: a receive waited while an earlier message lay ready.
//
//   sender A             [Send 2]
//   sender B   [Send 1]
//   receiver       [Recv 2 =====|..][Recv 1]        the wait for 2 is wrong order: 1 was sent before it
//
// A late-sender wait is in wrong order if a message received after it was sent before the one it waited for. It is
// told apart whether both messages come from the same process.
//
// Needs: send records of the waits so far and of each later message. Leaves: nothing at the synchronisation point.
// Source: docs/METRICS.md, "Messages in Wrong Order".
#include <algorithm>

#include "analysis/waits/pattern.hpp"

namespace tarry {
void WrongOrderDetector::late_sender_found(const Receive& receive, Ticks wait) {
  recent_.push_back({context_.sender_side(receive).time, waits_++, wait, &receive});
  std::push_heap(recent_.begin(), recent_.end());
  if (recent_.size() <= context_.compatibility.wrong_order_memory()) return;
  const auto older = [](const Waited& a, const Waited& b) { return a.order < b.order; };
  recent_.erase(std::min_element(recent_.begin(), recent_.end(), older));
  std::make_heap(recent_.begin(), recent_.end());
}

void WrongOrderDetector::message_received(const Receive& receive) {
  const Ticks sent = context_.sender_side(receive).time;
  revealed_.clear();
  for (; !recent_.empty() && recent_.front().sent > sent; recent_.pop_back()) {
    revealed_.push_back(recent_.front());
    std::pop_heap(recent_.begin(), recent_.end());
  }
  std::sort(revealed_.begin(), revealed_.end(), [](const Waited& a, const Waited& b) { return a.order < b.order; });
  for (const Waited& waited : revealed_)
    book(waited, context_.compatibility.classifying(*revealed_[0].receive, *waited.receive), receive);
}

void WrongOrderDetector::book(const Waited& waited, const Receive& classified_by, const Receive& revealing) {
  const LogicalRank& rank = context_.rank;
  const MpiCall& call = rank.calls[classified_by.call];
  const MpiCall& here = rank.calls[waited.receive->call];
  const Metric part = is_same_source(classified_by, revealing) ? Metric::kWrongOrderSame : Metric::kWrongOrderDifferent;
  context_.add_wait(here, Metric::kLateSenderWrongOrder, here.enter, waited.wait, context_.cause_of(*waited.receive),
                    part);
  const auto counted = static_cast<double>(context_.counted(here.thread, here.enter, here.enter + waited.wait));
  context_.add(call, part, counted);
  if (!context_.counts(here.thread, here.enter)) return;
  context_.add(call, context_.sender_side(classified_by).bytes ? Metric::kWrongOrderComms : Metric::kWrongOrderSyncs,
               1);
}

bool WrongOrderDetector::is_same_source(const Receive& a, const Receive& b) const {
  const ChannelTable& channels = context_.rank.receive_channels;
  const ChannelKey& left = channels.keys[a.channel];
  const ChannelKey& right = channels.keys[b.channel];
  if (!context_.compatibility.compares_sources_by_rank() || left.comm == right.comm) return left.peer == right.peer;
  const CommunicatorTable& communicators = context_.trace.communicators();
  return communicators.rank_of(left.comm, left.peer) == communicators.rank_of(right.comm, right.peer);
}

}  // namespace tarry

// unmatched_messages.cpp -- sends and receives without partner, as faults.
#include "replay/matching/unmatched_messages.hpp"

#include <algorithm>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "base/processes/worker_pool.hpp"

namespace tarry {
namespace {

void note(Trace& trace, Fault fault, const LogicalRank& rank, Ticks time, const ChannelKey& key) {
  trace.faults().add(fault, "rank " + std::to_string(rank.rank.value), 0,
                     "with rank " + std::to_string(key.peer.value) + ", tag " + std::to_string(key.tag) + ", at " +
                         std::to_string(trace.seconds(time - trace.definitions().clock.origin)) + " s");
}

void note_unmatched_receives(Trace& trace, RankIndex index) {
  const LogicalRank& rank = trace.ranks()[index];
  for (const Receive& receive : rank.receives)
    if (!receive.is_matched())
      note(trace, Fault::kUnmatchedReceive, rank, rank.calls[receive.call].leave(),
           rank.receive_channels.keys[receive.channel]);
}

// Sends that may have a receive which is not seen to end, by receiver.
class UnseenReceives {
 public:
  explicit UnseenReceives(Trace& trace) : trace_(trace) {}

  void add(RankIndex receiver, RankIndex sender, SendIndex send) {
    const std::lock_guard lock(mutex_);
    candidates_.push_back({receiver, sender, send});
  }

  /// Each such receive takes one message; those left over have no receive.
  void note_rest() {
    std::sort(candidates_.begin(), candidates_.end());
    RankIndex receiver;
    std::uint32_t left = 0;
    for (const auto& [to, from, number] : candidates_) {
      if (to != receiver) left = trace_.ranks()[receiver = to].unseen_receives;
      if (left > 0) {
        --left;
        continue;
      }
      const LogicalRank& rank = trace_.ranks()[from];
      const Send& send = rank.sends[number];
      note(trace_, Fault::kUnmatchedSend, rank, send.time, rank.send_channels.keys[send.channel]);
    }
  }

 private:
  Trace& trace_;
  std::mutex mutex_;
  std::vector<std::tuple<RankIndex, RankIndex, SendIndex>> candidates_;  // receiver, sender, send
};

// Each is noted where its receiver is analysed, if that has been recorded.
void note_unmatched_sends(Trace& trace, RankIndex sender, UnseenReceives& unseen) {
  const LogicalRank& rank = trace.ranks()[sender];
  for (const SendIndex s : rank.sends.ids()) {
    const Send& send = rank.sends[s];
    if (send.is_matched() || send.is_cancelled) continue;
    const RankIndex receiver = rank.receiver_of(send);
    if (!trace.is_hosted(receiver.is_valid() ? receiver : sender)) continue;
    if (receiver.is_valid() && trace.ranks()[receiver].unseen_receives > 0) unseen.add(receiver, sender, s);
    else note(trace, Fault::kUnmatchedSend, rank, send.time, rank.send_channels.keys[send.channel]);
  }
}

}  // namespace

void note_unmatched_messages(Trace& trace) {
  trace.for_each_hosted([&](RankIndex r) { note_unmatched_receives(trace, r); });
  UnseenReceives unseen(trace);
  run_parallel(trace.workers(), trace.ranks().size(),
               [&](std::size_t r) { note_unmatched_sends(trace, RankIndex(r), unseen); });
  unseen.note_rest();
}

}  // namespace tarry

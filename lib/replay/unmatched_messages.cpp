// unmatched_messages.cpp -- sends and receives without partner, as faults.
#include "replay/unmatched_messages.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <string>
#include <vector>

#include "base/worker_pool.hpp"

namespace tarry {
namespace {

void note(Trace& trace, Fault fault, const LogicalRank& rank, Ticks time, const ChannelKey& key) {
  trace.faults().add(fault, "rank " + std::to_string(rank.rank), 0,
                     "with rank " + std::to_string(key.peer) + ", tag " + std::to_string(key.tag) + ", at " +
                         std::to_string(trace.seconds(time - trace.definitions().clock.origin)) + " s");
}

void note_unmatched_receives(Trace& trace, std::uint32_t index) {
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

  void add(std::uint32_t receiver, std::uint32_t sender, std::uint32_t send) {
    const std::lock_guard lock(mutex_);
    candidates_.push_back({receiver, sender, send});
  }

  /// Each such receive takes one message; those left over have no receive.
  void note_rest() {
    std::sort(candidates_.begin(), candidates_.end());
    std::uint32_t receiver = kNone32, left = 0;
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
  std::vector<std::array<std::uint32_t, 3>> candidates_;
};

// Each is noted where its receiver is analysed, if that has been recorded.
void note_unmatched_sends(Trace& trace, std::uint32_t sender, UnseenReceives& unseen) {
  const LogicalRank& rank = trace.ranks()[sender];
  for (std::uint32_t s = 0; s < rank.sends.size(); ++s) {
    const Send& send = rank.sends[s];
    if (send.is_matched() || send.is_cancelled) continue;
    const std::uint32_t receiver = rank.receiver_of(send);
    if (!trace.is_hosted(receiver == kNone32 ? sender : receiver)) continue;
    if (receiver != kNone32 && trace.ranks()[receiver].unseen_receives > 0)
      unseen.add(receiver, sender, s);
    else
      note(trace, Fault::kUnmatchedSend, rank, send.time, rank.send_channels.keys[send.channel]);
  }
}

}  // namespace

void note_unmatched_messages(Trace& trace) {
  trace.for_each_hosted([&](std::uint32_t r) { note_unmatched_receives(trace, r); });
  UnseenReceives unseen(trace);
  run_parallel(trace.workers(), trace.ranks().size(),
               [&](std::size_t r) { note_unmatched_sends(trace, static_cast<std::uint32_t>(r), unseen); });
  unseen.note_rest();
}

}  // namespace tarry

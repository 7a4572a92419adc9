// share_marks.cpp -- which messages of processes hosted elsewhere waited there.
#include "analysis/waits/share_marks.hpp"

#include <algorithm>

namespace tarry {
namespace {

// Tells the host of each partner of a message that the other end waited.
template <class MessageIndex, class Message>
void pack_marks(const Trace& trace, RankIndex rank, const Rows<MessageWait<MessageIndex>>& waits,
                const Indexed<MessageIndex, Rows<Message>>& messages, const ChannelTable& channels,
                std::vector<MessageBuffer>& buffers) {
  for (const MessageWait<MessageIndex>& wait : waits) {
    const RankIndex peer = channels.peers[messages[wait.message].channel];
    if (trace.is_hosted(peer)) continue;
    MessageBuffer& buffer = buffers[static_cast<std::size_t>(trace.host_of(peer))];
    buffer.put(rank);
    buffer.put(wait.message);
  }
}

// The receives whose messages were waited for in probes and polls.
Rows<MessageWait<ReceiveIndex>> probed_receives(const LogicalRank& rank, const RankWaits& waits) {
  Rows<MessageWait<ReceiveIndex>> receives;
  for (const MessageWait<ProbeIndex>& late : waits.late_probes)
    receives.push_back({rank.probes[late.message].receive, late.wait});
  for (const PolledWait& late : waits.late_polls)
    if (late.receive.is_valid()) receives.push_back({late.receive, late.wait});
  return receives;
}

// Marks the messages of ranks hosted elsewhere that waited there.
template <class MessageIndex>
void unpack_marks(const Trace& trace, std::vector<MessageBuffer> buffers, FoundWaits& waits,
                  Indexed<MessageIndex, std::vector<MessageIndex>> LogicalRank::*origins,
                  Marks<MessageIndex> RankWaits::*marks) {
  for (MessageBuffer& buffer : buffers) {
    while (!buffer.is_read()) {
      const auto rank = buffer.get<RankIndex>();
      const auto record = buffer.get<MessageIndex>();
      const auto& all = trace.ranks()[rank].*origins;
      const auto found = std::lower_bound(all.begin(), all.end(), record);
      (waits.ranks[rank].*marks).set(MessageIndex(static_cast<std::size_t>(found - all.begin())), all.size());
    }
  }
}

}  // namespace

void share_marks(const Trace& trace, FoundWaits& waits) {
  const auto processes = static_cast<std::size_t>(trace.exchange().size());
  if (processes == 1) return;
  std::vector<MessageBuffer> of_receives(processes), of_sends(processes);
  for (const RankIndex r : trace.ranks().ids()) {
    if (!trace.is_hosted(r)) continue;
    const LogicalRank& rank = trace.ranks()[r];
    const RankWaits& found = waits.ranks[r];
    pack_marks(trace, r, found.late_senders, rank.receives, rank.receive_channels, of_receives);
    pack_marks(trace, r, probed_receives(rank, found), rank.receives, rank.receive_channels, of_receives);
    pack_marks(trace, r, found.late_receivers, rank.sends, rank.send_channels, of_sends);
  }
  unpack_marks(trace, trace.exchange().all_to_all(std::move(of_receives)), waits, &LogicalRank::receive_origin,
               &RankWaits::waiting_receives);
  unpack_marks(trace, trace.exchange().all_to_all(std::move(of_sends)), waits, &LogicalRank::send_origin,
               &RankWaits::waiting_sends);
}

}  // namespace tarry

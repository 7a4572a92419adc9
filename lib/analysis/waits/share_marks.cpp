// share_marks.cpp -- which messages of processes hosted elsewhere waited there.
#include "analysis/waits/share_marks.hpp"

#include <algorithm>

namespace tarry {
namespace {

// Tells the host of each partner of a message that the other end waited.
template <class Message>
void pack_marks(const Trace& trace, std::uint32_t rank, const Rows<MessageWait>& waits, const Rows<Message>& messages,
                const std::vector<std::uint32_t>& peers, std::vector<MessageBuffer>& buffers) {
  for (const MessageWait& wait : waits) {
    const std::uint32_t peer = peers[messages[wait.message].channel];
    if (trace.is_hosted(peer)) continue;
    MessageBuffer& buffer = buffers[static_cast<std::size_t>(trace.host_of(peer))];
    buffer.put(rank);
    buffer.put(wait.message);
  }
}

// The receives whose messages were waited for in a probe.
Rows<MessageWait> receives_of_probes(const LogicalRank& rank, const RankWaits& waits) {
  Rows<MessageWait> receives;
  for (const MessageWait& late : waits.late_probes) receives.push_back({rank.probes[late.message].receive, late.wait});
  return receives;
}

// Marks the messages of ranks hosted elsewhere that waited there.
void unpack_marks(const Trace& trace, std::vector<MessageBuffer> buffers, FoundWaits& waits,
                  std::vector<std::uint32_t> LogicalRank::*origins, MessageMarks RankWaits::*marks) {
  for (MessageBuffer& buffer : buffers) {
    while (!buffer.is_read()) {
      const auto rank = buffer.get<std::uint32_t>();
      const auto record = buffer.get<std::uint32_t>();
      const std::vector<std::uint32_t>& all = trace.ranks()[rank].*origins;
      const auto found = std::lower_bound(all.begin(), all.end(), record);
      (waits.ranks[rank].*marks).set(static_cast<std::uint32_t>(found - all.begin()), all.size());
    }
  }
}

}  // namespace

void share_marks(const Trace& trace, FoundWaits& waits) {
  const auto processes = static_cast<std::size_t>(trace.exchange().size());
  if (processes == 1) return;
  std::vector<MessageBuffer> of_receives(processes), of_sends(processes);
  for (std::uint32_t r = 0; r < trace.ranks().size(); ++r) {
    if (!trace.is_hosted(r)) continue;
    const LogicalRank& rank = trace.ranks()[r];
    const RankWaits& found = waits.ranks[r];
    pack_marks(trace, r, found.late_senders, rank.receives, rank.receive_channels.peers, of_receives);
    pack_marks(trace, r, receives_of_probes(rank, found), rank.receives, rank.receive_channels.peers, of_receives);
    pack_marks(trace, r, found.late_receivers, rank.sends, rank.send_channels.peers, of_sends);
  }
  unpack_marks(trace, trace.exchange().all_to_all(std::move(of_receives)), waits, &LogicalRank::receive_origin,
               &RankWaits::waiting_receives);
  unpack_marks(trace, trace.exchange().all_to_all(std::move(of_sends)), waits, &LogicalRank::send_origin,
               &RankWaits::waiting_sends);
}

}  // namespace tarry

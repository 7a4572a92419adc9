// message_counts.cpp -- sums the sends of each process by their receivers.
#include "analysis/message_counts.hpp"

namespace tarry {
namespace {

// A channel is a receiver and more: first the sums of channels.
std::vector<MessageCount> by_channel(const LogicalRank& rank) {
  std::vector<MessageCount> counts;
  for (const ChannelKey& channel : rank.send_channels.keys) counts.push_back({rank.rank.value, channel.peer.value});
  for (const Send& send : rank.sends) {
    if (!rank.threads[rank.calls[send.call].thread].counts(send.time)) continue;
    MessageCount& sum = counts[send.channel.value];
    ++sum.messages;
    sum.bytes += send.bytes;
  }
  std::erase_if(counts, [](const MessageCount& count) { return count.messages == 0; });
  return counts;
}

}  // namespace

MessageMatrix count_messages(const Trace& trace) {
  const std::size_t most = kept_receivers(trace.ranks().size());
  Indexed<RankIndex, std::vector<MessageMatrix>> of_ranks;
  of_ranks.resize(trace.ranks().size());
  trace.for_each_hosted(
      [&](RankIndex index) { of_ranks[index] = sum_messages(by_channel(trace.ranks()[index]), most); });
  MessageBuffer own;
  for (const MessageMatrix& counts : of_ranks)
    if (!counts.empty()) own.put_all(counts);
  MessageMatrix all;
  for (MessageBuffer& arrived : trace.exchange().gather(std::move(own)))
    while (!arrived.is_read()) {
      const auto counts = arrived.get_all<MessageCount>();
      all.insert(all.end(), counts.begin(), counts.end());
    }
  return all;
}

}  // namespace tarry

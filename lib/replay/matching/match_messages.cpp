// match_messages.cpp -- finds the receive of every send.
#include "replay/matching/match_messages.hpp"

#include <algorithm>

#include "base/processes/worker_pool.hpp"
#include "replay/matching/concurrent_receives.hpp"
#include "replay/matching/unmatched_messages.hpp"

namespace tarry {
namespace {

// ---- copies for other analysis processes -------------------------------------------------------------------------

// Collects the calls that the shipped messages of one rank refer to, under new numbers.
class CallSelection {
 public:
  explicit CallSelection(const Indexed<CallIndex, Rows<MpiCall>>& all) : all_(all) {}

  CallIndex add(CallIndex call) {
    if (!call.is_valid()) return {};
    CallIndex& number = numbers_.insert(call, CallIndex());
    if (!number.is_valid()) {
      number = CallIndex(selected_.size());
      selected_.push_back(all_[call]);
    }
    return number;
  }

  const std::vector<MpiCall>& selected() const { return selected_; }

 private:
  const Indexed<CallIndex, Rows<MpiCall>>& all_;
  FlatMap<CallIndex, CallIndex> numbers_;
  std::vector<MpiCall> selected_;
};

// Splits the messages of `table` by the analysis process that hosts the peer.
template <class MessageIndex, class Message>
std::vector<std::vector<MessageIndex>> split_by_host(Trace& trace, const ChannelTable& table,
                                                     const Indexed<MessageIndex, Rows<Message>>& messages) {
  std::vector<std::vector<MessageIndex>> by_host(static_cast<std::size_t>(trace.exchange().size()));
  for (const MessageIndex i : messages.ids()) {
    const RankIndex peer = trace.index_of(table.keys[messages[i].channel].peer);
    if (peer.is_valid() && !trace.is_hosted(peer)) by_host[static_cast<std::size_t>(trace.host_of(peer))].push_back(i);
  }
  return by_host;
}

void pack_rank(const LogicalRank& rank, RankIndex index, const std::vector<SendIndex>& send_items,
               const std::vector<ReceiveIndex>& receive_items, MessageBuffer& buffer) {
  CallSelection calls(rank.calls);
  std::vector<Send> sends;
  std::vector<ChannelKey> send_keys;
  for (const SendIndex i : send_items) {
    Send send = rank.sends[i];
    send_keys.push_back(rank.send_channels.keys[send.channel]);
    send.call = calls.add(send.call);
    send.completion_call = calls.add(send.completion_call);
    sends.push_back(send);
  }
  std::vector<Receive> receives;
  std::vector<ChannelKey> receive_keys;
  for (const ReceiveIndex i : receive_items) {
    Receive receive = rank.receives[i];
    receive_keys.push_back(rank.receive_channels.keys[receive.channel]);
    receive.call = calls.add(receive.call);
    receive.request_call = calls.add(receive.request_call);
    receives.push_back(receive);
  }
  buffer.put(index);
  buffer.put_all(calls.selected());
  buffer.put_all(sends);
  buffer.put_all(send_keys);
  buffer.put_all(receives);
  buffer.put_all(receive_keys);
  buffer.put_all(send_items);
  buffer.put_all(receive_items);
}

// Appends messages under their keys to a rank that is hosted elsewhere.
template <class Message>
void unpack_messages(MessageBuffer& buffer, Rows<Message>& into, ChannelTable& table) {
  const std::vector<Message> messages = buffer.get_all<Message>();
  const std::vector<ChannelKey> keys = buffer.get_all<ChannelKey>();
  for (std::size_t i = 0; i < messages.size(); ++i) {
    into.push_back(messages[i]);
    into.back().channel = table.find_or_add(keys[i]);
  }
}

void ship_messages(Trace& trace) {
  std::vector<MessageBuffer> buffers(static_cast<std::size_t>(trace.exchange().size()));
  for (const RankIndex r : trace.ranks().ids()) {
    if (!trace.is_hosted(r)) continue;
    const LogicalRank& rank = trace.ranks()[r];
    const auto sends = split_by_host(trace, rank.send_channels, rank.sends);
    const auto receives = split_by_host(trace, rank.receive_channels, rank.receives);
    for (std::size_t p = 0; p < buffers.size(); ++p)
      if (!sends[p].empty() || !receives[p].empty()) pack_rank(rank, r, sends[p], receives[p], buffers[p]);
  }
  for (MessageBuffer& buffer : trace.exchange().all_to_all(std::move(buffers))) {
    while (!buffer.is_read()) {
      LogicalRank& rank = trace.ranks()[buffer.get<RankIndex>()];
      rank.calls = buffer.get_rows<MpiCall>(trace.budget());
      unpack_messages(buffer, rank.sends, rank.send_channels);
      unpack_messages(buffer, rank.receives, rank.receive_channels);
      rank.send_origin = buffer.get_all<SendIndex>();
      rank.receive_origin = buffer.get_all<ReceiveIndex>();
    }
  }
}

// ---- matching ----------------------------------------------------------------------------------------------------

// The sends of a channel whose messages arrive.
std::vector<SendIndex> not_cancelled(const LogicalRank& rank, ChannelIndex channel) {
  const auto items = rank.send_channels.of(channel);
  std::vector<SendIndex> sends(items.begin(), items.end());
  std::erase_if(sends, [&](SendIndex send) { return rank.sends[send].is_cancelled; });
  return sends;
}

// The receives of a channel in the order in which they take messages.
std::vector<ReceiveIndex> in_order(const LogicalRank& rank, ChannelIndex channel, MatchOrder order) {
  const auto items = rank.receive_channels.of(channel);
  std::vector<ReceiveIndex> sorted(items.begin(), items.end());
  const auto posted_earlier = [&](ReceiveIndex a, ReceiveIndex b) {
    return rank.receives[a].posted < rank.receives[b].posted;
  };
  if (order == MatchOrder::kPosted && !std::is_sorted(sorted.begin(), sorted.end(), posted_earlier))
    std::stable_sort(sorted.begin(), sorted.end(), posted_earlier);
  return sorted;
}

void find_channels(const Trace& trace, LogicalRank& rank) {
  const auto find_peers = [&](ChannelTable& table) {
    table.peers.clear();
    for (const ChannelKey& key : table.keys) table.peers.push_back(trace.index_of(key.peer));
  };
  find_peers(rank.send_channels);
  find_peers(rank.receive_channels);
  group_by_channel(rank.send_channels, rank.sends);
  group_by_channel(rank.receive_channels, rank.receives);
}

template <class MessageIndex>
void forget_groups(ChannelGroups<MessageIndex>& table) {
  table.first = {};
  table.items.clear();
  table.index = {};
}

// Pairs the receives of one channel of `receiver` with the sends of its peer.
void match_channel(Trace& trace, LogicalRank& rank, ChannelIndex channel, MatchOrder order) {
  const ChannelKey key = rank.receive_channels.keys[channel];
  const RankIndex sender = rank.receive_channels.peers[channel];
  if (!sender.is_valid()) return;
  LogicalRank& peer = trace.ranks()[sender];
  const ChannelIndex* peer_channel = peer.send_channels.index.find({key.comm, rank.rank, key.tag});
  if (!peer_channel) return;
  const std::vector<SendIndex> sends = not_cancelled(peer, *peer_channel);
  std::vector<ReceiveIndex> receives = in_order(rank, channel, order);
  if (order == MatchOrder::kPosted) settle_concurrent_receives(rank, peer, sends, receives);
  for (std::size_t k = 0; k < std::min(sends.size(), receives.size()); ++k) {
    rank.receives[receives[k]].send = sends[k];
    peer.sends[sends[k]].receive = receives[k];
  }
}

}  // namespace

void match_messages(Trace& trace, MatchOrder order) {
  if (trace.exchange().size() > 1) ship_messages(trace);
  const auto for_each_rank = [&](auto job) {
    run_parallel(trace.workers(), trace.ranks().size(), [&](std::size_t r) { job(trace.ranks()[r]); });
  };
  for_each_rank([&](LogicalRank& rank) { find_channels(trace, rank); });
  // Every receive channel has exactly one send channel, so no two jobs touch the same message.
  for_each_rank([&](LogicalRank& rank) {
    for (const ChannelIndex k : rank.receive_channels.keys.ids()) match_channel(trace, rank, k, order);
  });
  for_each_rank([&](LogicalRank& rank) {
    forget_groups(rank.send_channels);
    forget_groups(rank.receive_channels);
  });
  note_unmatched_messages(trace);
}

}  // namespace tarry

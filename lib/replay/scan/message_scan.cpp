// message_scan.cpp -- records of messages and their requests.
#include "replay/scan/message_scan.hpp"

namespace tarry {

ChannelIndex MessageScan::channel(ChannelTable& table, CommRank other, CommId comm, MessageTag tag) {
  if (thread_.process.leads_outside(comm)) return {};
  const WorldRank peer = thread_.process.communicators.is_valid(comm)
                             ? thread_.process.communicators.world_rank(comm, other, thread_.rank.rank)
                             : WorldRank();
  if (!peer.is_valid()) {
    thread_.fault(Fault::kUndefinedReference, "communicator or rank of a message");
    return {};
  }
  return table.find_or_add({comm, peer, static_cast<std::uint32_t>(tag)});
}

void MessageScan::send(Ticks time, const record::MpiSend& record) {
  if (!thread_.is_in_mpi()) return;
  const ChannelIndex found = channel(thread_.rank.send_channels, record.receiver, record.comm, record.tag);
  if (!found.is_valid()) return;
  add_send(time, found, record.bytes).completion_call = thread_.current_call();
}

Send& MessageScan::add_send(Ticks time, ChannelIndex channel, Bytes bytes) {
  Send send;
  send.time = time;
  send.bytes = bytes;
  send.call = thread_.current_call();
  send.channel = channel;
  thread_.rank.sends.push_back(send);
  return thread_.rank.sends.back();
}

// Its completion is to be known in any case.
void MessageScan::start(Ticks time, const record::MpiIsend& record) {
  if (!thread_.is_in_mpi()) return;
  const ChannelIndex found = channel(thread_.rank.send_channels, record.receiver, record.comm, record.tag);
  PendingRequest& request = thread_.process.requests.insert(record.request);
  request = {.kind = PendingRequest::Kind::kSend};
  if (!found.is_valid()) return;
  request.send = thread_.rank.sends.next_id();
  add_send(time, found, record.bytes);
}

void MessageScan::finish(Ticks, CallIndex call, const record::MpiIsendComplete& end) {
  const PendingRequest* request = thread_.process.requests.find(end.request);
  if (!request || request->kind != PendingRequest::Kind::kSend)
    return thread_.fault(Fault::kUnknownRequest, "send completion");
  if (call.is_valid() && request->send.is_valid()) thread_.rank.sends[request->send].completion_call = call;
  thread_.process.requests.erase(end.request);
}

void MessageScan::start(Ticks time, const record::MpiIrecvRequest& record) {
  if (!thread_.is_in_mpi()) return;
  thread_.process.requests.insert(record.request) = {.call = thread_.current_call(), .posted = post_receive(time)};
}

void MessageScan::receive(Ticks time, const record::MpiRecv& record) {
  if (!thread_.is_in_mpi()) return;
  Receive receive;
  receive.call = receive.request_call = thread_.current_call();
  receive.posted = post_receive(thread_.open.innermost().enter);
  add_receive(receive, channel(thread_.rank.receive_channels, record.sender, record.comm, record.tag), time);
}

void MessageScan::finish(Ticks time, CallIndex call, const record::MpiIrecv& end) {
  const PendingRequest* request = thread_.process.requests.find(end.request);
  if (!request || request->kind != PendingRequest::Kind::kReceive)
    return thread_.fault(Fault::kUnknownRequest, "receive completion");
  Receive receive;
  receive.call = call;
  receive.request_call = request->call;
  receive.posted = request->posted;
  thread_.process.requests.erase(end.request);
  if (call.is_valid())
    add_receive(receive, channel(thread_.rank.receive_channels, end.sender, end.comm, end.tag), time);
}

void MessageScan::add_receive(Receive receive, ChannelIndex channel, Ticks time) {
  if (!channel.is_valid()) return;
  receive.channel = channel;
  thread_.rank.receives.push_back(receive);
  if (thread_.rank.threads.size() > 1) thread_.process.receive_numbers.push_back(thread_.record_number());
  if (thread_.process.keeps.receive_times) thread_.rank.receive_times.push_back(time);
}

void MessageScan::finish(Ticks, CallIndex, const record::MpiRequestCancelled& end) {
  const PendingRequest* request = thread_.process.requests.find(end.request);
  if (!request) return thread_.fault(Fault::kUnknownRequest, "cancellation");
  if (request->kind == PendingRequest::Kind::kSend && request->send.is_valid())
    thread_.rank.sends[request->send].is_cancelled = true;
  thread_.process.requests.erase(end.request);
}

// Returns the order of the receive. Its message is what the open probes of this thread waited for; a matched receive
// takes that of the oldest matched probe.
PostingIndex MessageScan::post_receive(Ticks time) {
  const PostingIndex posted(thread_.process.posted++);
  if (thread_.rank.threads.size() > 1) thread_.process.post_times.push_back(time);
  if (thread_.facts().call == CallClass::kMatchedReceive) {
    if (next_matched_ == matched_probes_.size()) return posted;
    thread_.rank.probes[matched_probes_[next_matched_++]].posted = posted;
  } else if (!probes_.empty()) {
    for (const ProbeIndex open : probes_) thread_.rank.probes[open].posted = posted;
    probes_.clear();
  }
  return posted;
}

void MessageScan::probe(OpenVisit& visit, CallClass call) {
  (call == CallClass::kProbe ? probes_ : matched_probes_).push_back(thread_.rank.probes.next_id());
  thread_.rank.probes.push_back({.call = thread_.call_of(visit)});
}

}  // namespace tarry

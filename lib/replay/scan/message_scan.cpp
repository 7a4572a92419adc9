// message_scan.cpp -- records of messages and their requests.
#include "replay/scan/thread_scan.hpp"

namespace tarry {

ChannelIndex ThreadScan::channel(ChannelTable& table, CommRank other, CommId comm, MessageTag tag) {
  if (process_.leads_outside(comm)) return {};
  const WorldRank peer =
      process_.communicators.is_valid(comm) ? process_.communicators.world_rank(comm, other, rank_.rank) : WorldRank();
  if (!peer.is_valid()) {
    fault(Fault::kUndefinedReference, "communicator or rank of a message");
    return {};
  }
  return table.find_or_add({comm, peer, static_cast<std::uint32_t>(tag)});
}

void ThreadScan::send(Ticks time, const record::MpiSend& record) {
  if (!is_in_mpi()) return;
  const ChannelIndex found = channel(rank_.send_channels, record.receiver, record.comm, record.tag);
  if (!found.is_valid()) return;
  add_send(time, found, record.bytes).completion_call = current_call();
}

Send& ThreadScan::add_send(Ticks time, ChannelIndex channel, Bytes bytes) {
  Send send;
  send.time = time;
  send.bytes = bytes;
  send.call = current_call();
  send.channel = channel;
  rank_.sends.push_back(send);
  return rank_.sends.back();
}

// Its completion is to be known in any case.
void ThreadScan::isend(Ticks time, const record::MpiIsend& record) {
  if (!is_in_mpi()) return;
  const ChannelIndex found = channel(rank_.send_channels, record.receiver, record.comm, record.tag);
  PendingRequest& request = process_.requests.insert(record.request);
  request = {.kind = PendingRequest::Kind::kSend};
  if (!found.is_valid()) return;
  request.send = rank_.sends.next_id();
  add_send(time, found, record.bytes);
}

// True if another thread may have started the request: then the completion is looked at again at the end.
bool ThreadScan::waits_for_other_thread(RequestId request) const {
  return event_number_ == kCurrentEvent && rank_.threads.size() > 1 && !process_.requests.find(request);
}

// `call`: the one that completes; none if the record is in none.
void ThreadScan::complete(const Event& event, CallIndex call) {
  switch (event.kind) {
    case EventKind::kMpiIrecv: return complete(event, call, record_of<record::MpiIrecv>(event));
    case EventKind::kMpiIsendComplete: return complete(event, call, record_of<record::MpiIsendComplete>(event));
    case EventKind::kMpiRequestCancelled: return complete(event, call, record_of<record::MpiRequestCancelled>(event));
    default: return complete(event, call, record_of<record::NonBlockingCollectiveComplete>(event));
  }
}

template <class Record>
void ThreadScan::complete(const Event& event, CallIndex call, const Record& record) {
  if (waits_for_other_thread(record.request))
    return process_.late.push_back({event, call, number_, thread_.event_count});
  finish(event.time, call, record);
}

void ThreadScan::complete_late(const LateCompletion& late) {
  event_number_ = late.number;
  complete(late.event, late.call);
}

void ThreadScan::finish(Ticks, CallIndex call, const record::MpiIsendComplete& end) {
  const PendingRequest* request = process_.requests.find(end.request);
  if (!request || request->kind != PendingRequest::Kind::kSend) return fault(Fault::kUnknownRequest, "send completion");
  if (call.is_valid() && request->send.is_valid()) rank_.sends[request->send].completion_call = call;
  process_.requests.erase(end.request);
}

void ThreadScan::receive_request(Ticks time, const record::MpiIrecvRequest& record) {
  if (!is_in_mpi()) return;
  process_.requests.insert(record.request) = {.call = current_call(), .posted = post_receive(time)};
}

void ThreadScan::blocking_receive(Ticks time, const record::MpiRecv& record) {
  if (!is_in_mpi()) return;
  Receive receive;
  receive.call = receive.request_call = current_call();
  receive.posted = post_receive(stack_.back().enter);
  add_receive(receive, channel(rank_.receive_channels, record.sender, record.comm, record.tag), time);
}

void ThreadScan::finish(Ticks time, CallIndex call, const record::MpiIrecv& end) {
  const PendingRequest* request = process_.requests.find(end.request);
  if (!request || request->kind != PendingRequest::Kind::kReceive)
    return fault(Fault::kUnknownRequest, "receive completion");
  Receive receive;
  receive.call = call;
  receive.request_call = request->call;
  receive.posted = request->posted;
  process_.requests.erase(end.request);
  if (call.is_valid()) add_receive(receive, channel(rank_.receive_channels, end.sender, end.comm, end.tag), time);
}

void ThreadScan::add_receive(Receive receive, ChannelIndex channel, Ticks time) {
  if (!channel.is_valid()) return;
  receive.channel = channel;
  rank_.receives.push_back(receive);
  if (rank_.threads.size() > 1) process_.receive_numbers.push_back(record_number());
  if (process_.keeps.receive_times) rank_.receive_times.push_back(time);
}

void ThreadScan::finish(Ticks, CallIndex, const record::MpiRequestCancelled& end) {
  const PendingRequest* request = process_.requests.find(end.request);
  if (!request) return fault(Fault::kUnknownRequest, "cancellation");
  if (request->kind == PendingRequest::Kind::kSend && request->send.is_valid())
    rank_.sends[request->send].is_cancelled = true;
  process_.requests.erase(end.request);
}

// Returns the order of the receive. Its message is what the open probes of this thread waited for; a matched receive
// takes that of the oldest matched probe.
PostingIndex ThreadScan::post_receive(Ticks time) {
  const PostingIndex posted(process_.posted++);
  if (rank_.threads.size() > 1) process_.post_times.push_back(time);
  if (process_.regions[stack_.back().region].call == CallClass::kMatchedReceive) {
    if (next_matched_ == matched_probes_.size()) return posted;
    rank_.probes[matched_probes_[next_matched_++]].posted = posted;
  } else if (!probes_.empty()) {
    for (const ProbeIndex open : probes_) rank_.probes[open].posted = posted;
    probes_.clear();
  }
  return posted;
}

void ThreadScan::probe(Frame& frame, CallClass call) {
  if (!frame.call.is_valid()) frame.call = add_call(frame);
  (call == CallClass::kProbe ? probes_ : matched_probes_).push_back(rank_.probes.next_id());
  rank_.probes.push_back({.call = frame.call});
}

}  // namespace tarry

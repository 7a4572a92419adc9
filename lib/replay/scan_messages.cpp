// scan_messages.cpp -- records of messages and their requests.
#include "replay/thread_scan.hpp"

namespace tarry {

ChannelIndex ThreadScan::channel(ChannelTable& table, const Event& event) {
  if (leads_outside(event.fields[1])) return {};
  const CommId comm(event.fields[1]);
  const WorldRank peer = process_.communicators.is_valid(event.fields[1])
                             ? process_.communicators.world_rank(comm, event.fields[0], rank_.rank)
                             : WorldRank();
  if (!peer.is_valid()) {
    fault(Fault::kUndefinedReference, "communicator or rank of a message");
    return {};
  }
  const ChannelKey key{comm, peer, static_cast<std::uint32_t>(event.fields[2])};
  return table.find_or_add(key);
}

// With processes that are not recorded: nothing to analyse, and nothing wrong.
bool ThreadScan::leads_outside(std::uint64_t comm) const {
  const CommunicatorTable& all = process_.communicators;
  return all.is_valid(comm) && all.leads_outside(CommId(comm));
}

void ThreadScan::send(const Event& event) {
  if (!is_in_mpi()) return;
  const ChannelIndex found = channel(rank_.send_channels, event);
  if (!found.is_valid()) {
    if (event.kind == EventKind::kMpiIsend)  // its completion is to be known
      process_.requests.insert(event.fields[4]) = {.kind = PendingRequest::Kind::kSend};
    return;
  }
  Send send;
  send.channel = found;
  send.time = event.time;
  send.bytes = event.fields[3];
  send.call = current_call();
  if (event.kind == EventKind::kMpiSend)
    send.completion_call = send.call;
  else
    process_.requests.insert(event.fields[4]) = {.kind = PendingRequest::Kind::kSend,
                                                 .send = rank_.sends.next_id()};
  rank_.sends.push_back(send);
}

// True if another thread may have started the request: then the completion is looked at again at the end.
bool ThreadScan::waits_for_other_thread(std::uint64_t request) const {
  return event_number_ == kCurrentEvent && rank_.threads.size() > 1 && !process_.requests.find(request);
}

// `call`: the one that completes; none if the record is in none.
void ThreadScan::complete(const Event& event, CallIndex call) {
  const bool is_collective = event.kind == EventKind::kNonBlockingCollectiveComplete;
  const bool is_receive = event.kind == EventKind::kMpiIrecv;
  const std::uint64_t request = event.fields[is_collective ? 5 : is_receive ? 4 : 0];
  if (waits_for_other_thread(request)) return process_.late.push_back({event, call, number_, thread_.event_count});
  if (is_collective) return collective_complete(event, call);
  if (is_receive) return receive_complete(event, call);
  return event.kind == EventKind::kMpiIsendComplete ? send_complete(event, call) : cancelled(event);
}

void ThreadScan::complete_late(const LateCompletion& late) {
  event_number_ = late.number;
  complete(late.event, late.call);
}

void ThreadScan::send_complete(const Event& event, CallIndex call) {
  const PendingRequest* request = process_.requests.find(event.fields[0]);
  if (!request || request->kind != PendingRequest::Kind::kSend) return fault(Fault::kUnknownRequest, "send completion");
  if (call.is_valid() && request->send.is_valid()) rank_.sends[request->send].completion_call = call;
  process_.requests.erase(event.fields[0]);
}

void ThreadScan::receive_request(const Event& event) {
  if (!is_in_mpi()) return;
  process_.requests.insert(event.fields[0]) = {.call = current_call(), .posted = post_receive(event.time)};
}

void ThreadScan::blocking_receive(const Event& event) {
  if (!is_in_mpi()) return;
  Receive receive;
  receive.call = receive.request_call = current_call();
  receive.posted = post_receive(stack_.back().enter);
  add_receive(receive, event);
}

void ThreadScan::receive_complete(const Event& event, CallIndex call) {
  const PendingRequest* request = process_.requests.find(event.fields[4]);
  if (!request || request->kind != PendingRequest::Kind::kReceive)
    return fault(Fault::kUnknownRequest, "receive completion");
  Receive receive;
  receive.call = call;
  receive.request_call = request->call;
  receive.posted = request->posted;
  process_.requests.erase(event.fields[4]);
  if (call.is_valid()) add_receive(receive, event);
}

void ThreadScan::add_receive(Receive receive, const Event& event) {
  const ChannelIndex found = channel(rank_.receive_channels, event);
  if (!found.is_valid()) return;
  receive.channel = found;
  rank_.receives.push_back(receive);
  if (rank_.threads.size() > 1) process_.receive_numbers.push_back(record_number());
  if (process_.keeps.receive_times) rank_.receive_times.push_back(event.time);
}

void ThreadScan::cancelled(const Event& event) {
  const PendingRequest* request = process_.requests.find(event.fields[0]);
  if (!request) return fault(Fault::kUnknownRequest, "cancellation");
  if (request->kind == PendingRequest::Kind::kSend && request->send.is_valid())
    rank_.sends[request->send].is_cancelled = true;
  process_.requests.erase(event.fields[0]);
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

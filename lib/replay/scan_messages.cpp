// scan_messages.cpp -- records of messages and their requests.
#include "replay/thread_scan.hpp"

namespace tarry {

std::uint32_t ThreadScan::channel(ChannelTable& table, const Event& event) {
  const std::uint64_t comm = event.fields[1];
  if (leads_outside(comm)) return kNone32;
  const std::uint32_t peer = process_.communicators.is_valid(comm)
                                 ? process_.communicators.world_rank(static_cast<std::uint32_t>(comm),
                                                                     event.fields[0], rank_.rank)
                                 : kNone32;
  if (peer == kNone32) {
    fault(Fault::kUndefinedReference, "communicator or rank of a message");
    return kNone32;
  }
  const ChannelKey key{static_cast<std::uint32_t>(comm), peer, static_cast<std::uint32_t>(event.fields[2])};
  return table.find_or_add(key);
}

// With processes that are not recorded: nothing to analyse, and nothing wrong.
bool ThreadScan::leads_outside(std::uint64_t comm) const {
  const CommunicatorTable& all = process_.communicators;
  return all.is_valid(comm) && all.leads_outside(static_cast<std::uint32_t>(comm));
}

void ThreadScan::send(const Event& event) {
  if (!is_in_mpi()) return;
  const std::uint32_t found = channel(rank_.send_channels, event);
  if (found == kNone32) {
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
                                                 .record = static_cast<std::uint32_t>(rank_.sends.size())};
  rank_.sends.push_back(send);
}

// True if another thread may have started the request: then the completion is looked at again at the end.
bool ThreadScan::waits_for_other_thread(std::uint64_t request) const {
  return event_number_ == kCurrentEvent && rank_.threads.size() > 1 && !process_.requests.find(request);
}

// `call`: the one that completes, kNone32 if the record is in none.
void ThreadScan::complete(const Event& event, std::uint32_t call) {
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

void ThreadScan::send_complete(const Event& event, std::uint32_t call) {
  const PendingRequest* request = process_.requests.find(event.fields[0]);
  if (!request || request->kind != PendingRequest::Kind::kSend) return fault(Fault::kUnknownRequest, "send completion");
  if (call != kNone32 && request->record != kNone32) rank_.sends[request->record].completion_call = call;
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

void ThreadScan::receive_complete(const Event& event, std::uint32_t call) {
  const PendingRequest* request = process_.requests.find(event.fields[4]);
  if (!request || request->kind != PendingRequest::Kind::kReceive)
    return fault(Fault::kUnknownRequest, "receive completion");
  Receive receive;
  receive.call = call;
  receive.request_call = request->call;
  receive.posted = request->posted;
  process_.requests.erase(event.fields[4]);
  if (call != kNone32) add_receive(receive, event);
}

void ThreadScan::add_receive(Receive receive, const Event& event) {
  const std::uint32_t found = channel(rank_.receive_channels, event);
  if (found == kNone32) return;
  receive.channel = found;
  rank_.receives.push_back(receive);
  if (rank_.threads.size() > 1) process_.receive_numbers.push_back(record_number());
  if (process_.keeps.receive_times) rank_.receive_times.push_back(event.time);
}

void ThreadScan::cancelled(const Event& event) {
  const PendingRequest* request = process_.requests.find(event.fields[0]);
  if (!request) return fault(Fault::kUnknownRequest, "cancellation");
  if (request->kind == PendingRequest::Kind::kSend && request->record != kNone32)
    rank_.sends[request->record].is_cancelled = true;
  process_.requests.erase(event.fields[0]);
}

// Returns the order of the receive. Its message is what the open probes of this thread waited for; a matched receive
// takes that of the oldest matched probe.
std::uint32_t ThreadScan::post_receive(Ticks time) {
  const std::uint32_t posted = process_.posted++;
  if (rank_.threads.size() > 1) process_.post_times.push_back(time);
  if (process_.regions[stack_.back().region].call == CallClass::kMatchedReceive) {
    if (next_matched_ == matched_probes_.size()) return posted;
    rank_.probes[matched_probes_[next_matched_++]].posted = posted;
  } else if (!probes_.empty()) {
    for (const std::uint32_t open : probes_) rank_.probes[open].posted = posted;
    probes_.clear();
  }
  return posted;
}

void ThreadScan::probe(Frame& frame, CallClass call) {
  if (frame.call == kNone32) frame.call = add_call(frame);
  (call == CallClass::kProbe ? probes_ : matched_probes_).push_back(static_cast<std::uint32_t>(rank_.probes.size()));
  rank_.probes.push_back({.call = frame.call});
}

}  // namespace tarry

// scan_messages.cpp -- records of messages and their requests.
#include "replay/thread_scan.hpp"

namespace tarry {

std::uint32_t ThreadScan::channel(ChannelTable& table, const Event& event) {
  const std::uint64_t comm = event.fields[1];
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

void ThreadScan::send(const Event& event) {
  if (!is_in_mpi()) return;
  Send send;
  send.channel = channel(rank_.send_channels, event);
  if (send.channel == kNone32) return;
  send.time = event.time;
  send.bytes = event.fields[3];
  send.call = current_call();
  if (event.kind == EventKind::kMpiSend)
    send.completion_call = send.call;
  else
    process_.requests.insert(event.fields[4]) = {.is_send = true, .send = static_cast<std::uint32_t>(rank_.sends.size())};
  rank_.sends.push_back(send);
}

void ThreadScan::send_complete(const Event& event) {
  const PendingRequest* request = process_.requests.find(event.fields[0]);
  if (!request || !request->is_send) return fault(Fault::kUnknownRequest, "send completion");
  if (is_in_mpi()) rank_.sends[request->send].completion_call = current_call();
  process_.requests.erase(event.fields[0]);
}

void ThreadScan::receive_request(const Event& event) {
  if (!is_in_mpi()) return;
  process_.requests.insert(event.fields[0]) = {.call = current_call(), .posted = process_.posted++};
}

void ThreadScan::receive(const Event& event) {
  Receive receive;
  if (event.kind == EventKind::kMpiIrecv) {
    const PendingRequest* request = process_.requests.find(event.fields[4]);
    if (!request || request->is_send) return fault(Fault::kUnknownRequest, "receive completion");
    receive.request_call = request->call;
    receive.posted = request->posted;
    process_.requests.erase(event.fields[4]);
  }
  if (!is_in_mpi()) return;
  receive.call = current_call();
  if (receive.request_call == kNone32) {
    receive.request_call = receive.call;
    receive.posted = process_.posted++;
  }
  const std::uint32_t found = channel(rank_.receive_channels, event);
  if (found == kNone32) return;
  receive.channel = found;
  rank_.receives.push_back(receive);
}

void ThreadScan::cancelled(const Event& event) {
  const PendingRequest* request = process_.requests.find(event.fields[0]);
  if (!request) return fault(Fault::kUnknownRequest, "cancellation");
  if (request->is_send) rank_.sends[request->send].is_cancelled = true;
  process_.requests.erase(event.fields[0]);
}

}  // namespace tarry

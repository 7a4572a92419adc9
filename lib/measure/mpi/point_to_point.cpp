// point_to_point.cpp -- records of messages.
#include "measure/mpi/point_to_point.hpp"

#include <algorithm>
#include <utility>

#include "measure/mpi/collectives.hpp"
#include "measure/mpi/comm_table.hpp"
#include "measure/mpi/outcomes.hpp"

namespace tarry::measure {
namespace {

CommRank rank_of(int peer) { return CommRank(static_cast<unsigned>(peer)); }

record::MpiSend send_record(int destination, CommId comm, int tag, Bytes bytes) {
  return {.receiver = rank_of(destination), .comm = comm, .tag = static_cast<unsigned>(tag), .bytes = bytes};
}

void put_isend(MpiCall& call, RequestId id, int destination, CommId comm, int tag, Bytes bytes) {
  call.put(record::MpiIsend{.receiver = rank_of(destination),
                            .comm = comm,
                            .tag = static_cast<unsigned>(tag),
                            .bytes = bytes,
                            .request = id});
}

}  // namespace

Bytes received_bytes(const MPI_Status& status) {
  MPI_Count bytes = 0;
  PMPI_Get_elements_x(const_cast<MPI_Status*>(&status), MPI_BYTE, &bytes);
  return bytes > 0 ? static_cast<Bytes>(bytes) : 0;
}

namespace {

// MPI takes such arguments, as far as that can be told without asking it.
bool is_acceptable(int peers, int destination, int tag, MPI_Count count, MPI_Datatype type) {
  return destination >= 0 && destination < peers && tag >= 0 && count >= 0 && type && type != MPI_DATATYPE_NULL;
}

}  // namespace

SendRecord record_send(MpiCall& call, int destination, int tag, MPI_Comm comm, MPI_Count count, MPI_Datatype type) {
  CommId id;
  int peers = 0;
  if (!find_known_comm(comm, id, peers) || !is_acceptable(peers, destination, tag, count, type)) return {};
  SendRecord sent;
  sent.is_made = true;
  sent.comm = id;
  sent.bytes = bytes_of(count, type);
  sent.place = call.put_tentatively(send_record(destination, id, tag, sent.bytes));
  return sent;
}

void finish_send(MpiCall& call, const SendRecord& sent, int destination, int tag, MPI_Comm comm, MPI_Count count,
                 MPI_Datatype type, int outcome) {
  const bool is_sent = has_taken_part(outcome);  // of MPI_Sendrecv it may be the receive that has failed
  if (sent.is_made && !is_sent) return call.take_back(sent.place);
  if (sent.is_made) return count_send(call.thread(), sent.comm, rank_of(destination), sent.bytes);
  if (!is_sent || destination == MPI_PROC_NULL) return;
  const Bytes bytes = bytes_of(count, type);
  call.put(send_record(destination, comm_id(comm), tag, bytes));
}

void record_receive(MpiCall& call, MPI_Comm comm, OwnStatus& status, int outcome) {
  if (!has_taken_part(outcome) || status.get()->MPI_SOURCE < 0) return;  // also MPI_PROC_NULL
  record_receive(call, comm_id(comm), *status.get());
}

void record_receive(MpiCall& call, CommId comm, const MPI_Status& status) {
  const Bytes bytes = received_bytes(status);
  call.put(record::MpiRecv{.sender = rank_of(status.MPI_SOURCE),
                           .comm = comm,
                           .tag = static_cast<unsigned>(status.MPI_TAG),
                           .bytes = bytes});
}

void record_isend(MpiCall& call, int destination, int tag, MPI_Comm comm, MPI_Count count, MPI_Datatype type,
                  const MPI_Request* request) {
  if (destination == MPI_PROC_NULL) return remember_request({}, request);
  const RequestId id = next_request_id();
  put_isend(call, id, destination, comm_id(comm), tag, bytes_of(count, type));
  remember_request({.kind = RequestKind::kSend, .id = id}, request);
}

void record_irecv(MpiCall& call, int source, MPI_Comm comm, const MPI_Request* request) {
  if (source == MPI_PROC_NULL) return remember_request({}, request);
  record_irecv(call, comm_id(comm), request);
}

void record_irecv(MpiCall& call, CommId comm, const MPI_Request* request) {
  const RequestId id = next_request_id();
  call.put(record::MpiIrecvRequest{.request = id});
  remember_request({.kind = RequestKind::kReceive, .object = comm, .id = id}, request);
}

void track_send_init(int destination, int tag, MPI_Comm comm, MPI_Count count, MPI_Datatype type,
                     const MPI_Request* request) {
  TrackedRequest tracked{.kind = RequestKind::kNothing, .is_persistent = true, .is_active = false};
  if (destination != MPI_PROC_NULL) {
    tracked.kind = RequestKind::kSend;
    tracked.object = comm_id(comm);
    tracked.peer = destination;
    tracked.tag = tag;
    tracked.bytes.sent = bytes_of(count, type);
  }
  remember_request(tracked, request);
}

void track_receive_init(int source, MPI_Comm comm, const MPI_Request* request) {
  TrackedRequest tracked{.kind = RequestKind::kNothing, .is_persistent = true, .is_active = false};
  if (source != MPI_PROC_NULL) {
    tracked.kind = RequestKind::kReceive;
    tracked.object = comm_id(comm);
  }
  remember_request(tracked, request);
}

void track_partitioned_init(RequestKind kind, int peer, int tag, MPI_Comm comm, int partitions, Bytes part_bytes,
                            const MPI_Request* request) {
  TrackedRequest tracked{.kind = RequestKind::kNothing, .is_persistent = true, .is_active = false};
  if (peer != MPI_PROC_NULL) {
    tracked.kind = kind;
    tracked.object = comm_id(comm);
    tracked.peer = peer;
    tracked.tag = tag;
    tracked.bytes.sent = static_cast<Bytes>(partitions) * part_bytes;
    tracked.details = new RequestDetails{.partitions = partitions};
  }
  remember_request(tracked, request);
}

void record_ready(MpiCall& call, int partitions, MPI_Request request) {
  with_request(request, nullptr, [&](auto&, TrackedRequest& tracked) {
    if (!tracked.details || !tracked.is_active) return;
    tracked.details->missing_partitions -= partitions;
    if (tracked.details->missing_partitions > 0) return;
    tracked.id = next_request_id();
    put_isend(call, tracked.id, tracked.peer, tracked.object.comm(), tracked.tag, tracked.bytes.sent);
  });
}

void record_isendrecv(MpiCall& call, int destination, int send_tag, Bytes sent, int source, int receive_tag, Bytes room,
                      MPI_Comm comm, const MPI_Request* request) {
  if (destination == MPI_PROC_NULL && source == MPI_PROC_NULL) return remember_request({}, request);
  TrackedRequest tracked{.kind = RequestKind::kSend, .object = comm_id(comm), .id = next_request_id()};
  if (destination != MPI_PROC_NULL) put_isend(call, tracked.id, destination, tracked.object.comm(), send_tag, sent);
  if (source != MPI_PROC_NULL) {
    tracked.kind = RequestKind::kReceive;
    tracked.peer = source;
    tracked.tag = receive_tag;
    tracked.bytes.received = room;
    tracked.details = new RequestDetails{.is_isendrecv = true};
    if (destination != MPI_PROC_NULL) tracked.details->send = std::exchange(tracked.id, next_request_id());
    call.put(record::MpiIrecvRequest{.request = tracked.id});
  }
  remember_request(tracked, request);
}

namespace {

void put_irecv(MpiCall& call, const TrackedRequest& request, int source, int tag, Bytes bytes) {
  call.put(record::MpiIrecv{.sender = rank_of(source),
                            .comm = request.object.comm(),
                            .tag = static_cast<unsigned>(tag),
                            .bytes = bytes,
                            .request = request.id});
}

// MPICH 4.0 leaves the status of MPI_Isendrecv as it was. Then what was asked for has to do, as far as it tells: the
// end of a receive from anybody is not recorded.
void put_end_of_isendrecv(MpiCall& call, const TrackedRequest& request, const MPI_Status& status) {
  if (request.details->send != kNoRequest) call.put(record::MpiIsendComplete{.request = request.details->send});
  if (request.peer == MPI_ANY_SOURCE || request.tag == MPI_ANY_TAG) return;
  const bool is_told = status.MPI_SOURCE == request.peer && status.MPI_TAG == request.tag;
  const Bytes room = request.bytes.received;
  put_irecv(call, request, request.peer, request.tag, is_told ? std::min(received_bytes(status), room) : room);
}

}  // namespace

void record_irecv_end(MpiCall& call, const TrackedRequest& request, const MPI_Status& status) {
  if (request.details->is_isendrecv) return put_end_of_isendrecv(call, request, status);
  put_irecv(call, request, request.peer, request.tag, request.bytes.sent);
}

namespace {

// Of a partitioned send that is MPI_Pready.
void put_start(MpiCall& call, TrackedRequest& started) {
  if (started.kind == RequestKind::kNothing) return;
  if (started.details) started.details->missing_partitions = started.details->partitions;
  if (started.kind == RequestKind::kSend && started.details) {
    started.id = kNoRequest;
    return;
  }
  started.id = next_request_id();
  if (started.kind == RequestKind::kSend)
    put_isend(call, started.id, started.peer, started.object.comm(), started.tag, started.bytes.sent);
  else if (started.kind == RequestKind::kCollective) record_collective_start(call, started);
  else call.put(record::MpiIrecvRequest{.request = started.id});
}

}  // namespace

// Open MPI starts another request, and leaves the one before to itself, where a buffered send is not through yet.
void record_start(MpiCall& call, MPI_Request handle, const MPI_Request* place) {
  with_request(handle, place, [&](auto& table, TrackedRequest& tracked) {
    if (!tracked.is_persistent) return;
    tracked.is_active = true;
    tracked.is_cancelled = false;
    put_start(call, tracked);
    if (*place == handle) return;
    const TrackedRequest moved = tracked;
    table.remove(handle, &tracked);
    table.add(*place, moved);
  });
}

}  // namespace tarry::measure

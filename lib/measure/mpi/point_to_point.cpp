// point_to_point.cpp -- records of messages.
#include "measure/mpi/point_to_point.hpp"

#include "measure/mpi/comm_table.hpp"

namespace tarry::measure {
namespace {

void put_isend(MpiCall& call, RequestId id, int destination, std::uint32_t comm, int tag, Bytes bytes) {
  call.put(EventKind::kMpiIsend, static_cast<unsigned>(destination), comm, static_cast<unsigned>(tag), bytes, id);
  count_bytes(call.thread(), bytes, 0);
}

}  // namespace

Bytes received_bytes(const MPI_Status& status) {
  MPI_Count bytes = 0;
  PMPI_Get_elements_x(const_cast<MPI_Status*>(&status), MPI_BYTE, &bytes);
  return bytes > 0 ? static_cast<Bytes>(bytes) : 0;
}

void record_send(MpiCall& call, int destination, int tag, MPI_Comm comm, int count, MPI_Datatype type) {
  if (destination == MPI_PROC_NULL) return;
  const Bytes bytes = bytes_of(count, type);
  call.put(EventKind::kMpiSend, static_cast<unsigned>(destination), comm_id(comm), static_cast<unsigned>(tag),
           bytes);
  count_bytes(call.thread(), bytes, 0);
}

void record_receive(MpiCall& call, MPI_Comm comm, OwnStatus& status, int outcome) {
  if (outcome != MPI_SUCCESS || status.get()->MPI_SOURCE == MPI_PROC_NULL) return;
  record_receive(call, comm_id(comm), *status.get());
}

void record_receive(MpiCall& call, std::uint32_t comm, const MPI_Status& status) {
  const Bytes bytes = received_bytes(status);
  call.put(EventKind::kMpiRecv, static_cast<unsigned>(status.MPI_SOURCE), comm, static_cast<unsigned>(status.MPI_TAG),
           bytes);
  count_bytes(call.thread(), 0, bytes);
}

RequestId record_isend(MpiCall& call, int destination, int tag, MPI_Comm comm, int count, MPI_Datatype type) {
  if (destination == MPI_PROC_NULL) return kNoRequest;
  const RequestId id = next_request_id();
  put_isend(call, id, destination, comm_id(comm), tag, bytes_of(count, type));
  return id;
}

RequestId record_irecv(MpiCall& call, int source) {
  if (source == MPI_PROC_NULL) return kNoRequest;
  const RequestId id = next_request_id();
  call.put(EventKind::kMpiIrecvRequest, id);
  return id;
}

void track_send(RequestId id, const MPI_Request* request, int outcome) {
  remember_request({.kind = id == kNoRequest ? RequestKind::kNothing : RequestKind::kSend, .id = id}, request, outcome);
}

void track_receive(RequestId id, MPI_Comm comm, const MPI_Request* request, int outcome) {
  track_receive(id, id == kNoRequest ? 0 : comm_id(comm), request, outcome);
}

void track_receive(RequestId id, std::uint32_t comm, const MPI_Request* request, int outcome) {
  remember_request({.kind = id == kNoRequest ? RequestKind::kNothing : RequestKind::kReceive, .comm = comm, .id = id},
                   request, outcome);
}

void track_send_init(int destination, int tag, MPI_Comm comm, int count, MPI_Datatype type, const MPI_Request* request,
                     int outcome) {
  TrackedRequest tracked{.kind = RequestKind::kSend, .is_persistent = true, .is_active = false};
  if (destination == MPI_PROC_NULL) {
    tracked.kind = RequestKind::kNothing;
  } else {
    tracked.comm = comm_id(comm);
    tracked.peer = destination;
    tracked.tag = tag;
    tracked.bytes.sent = bytes_of(count, type);
  }
  remember_request(tracked, request, outcome);
}

void track_receive_init(int source, MPI_Comm comm, const MPI_Request* request, int outcome) {
  TrackedRequest tracked{.kind = RequestKind::kReceive, .is_persistent = true, .is_active = false};
  if (source == MPI_PROC_NULL)
    tracked.kind = RequestKind::kNothing;
  else
    tracked.comm = comm_id(comm);
  remember_request(tracked, request, outcome);
}

void record_start(MpiCall& call, MPI_Request request, const MPI_Request* place) {
  with_request(request, place, [&call](auto&, TrackedRequest& tracked) {
    if (!tracked.is_persistent) return;
    tracked.is_active = true;
    tracked.is_cancelled = false;
    if (tracked.kind == RequestKind::kNothing) return;
    tracked.id = next_request_id();
    if (tracked.kind == RequestKind::kSend)
      put_isend(call, tracked.id, tracked.peer, tracked.comm, tracked.tag, tracked.bytes.sent);
    else
      call.put(EventKind::kMpiIrecvRequest, tracked.id);
  });
}

}  // namespace tarry::measure

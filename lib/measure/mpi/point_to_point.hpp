// point_to_point.hpp -- records of messages: the hooks of sends and receives.
#pragma once

#include "measure/mpi/mpi_api.hpp"
#include "measure/mpi/mpi_call.hpp"
#include "measure/mpi/request_table.hpp"

namespace tarry::measure {

/// The status a receive is asked for: the program's, or one of our own where it wants none.
class OwnStatus {
 public:
  explicit OwnStatus(MPI_Status* status) : status_(status == MPI_STATUS_IGNORE ? &own_ : status) {}
  MPI_Status* get() { return status_; }

 private:
  MPI_Status own_;
  MPI_Status* status_;
};

/// Bytes a receive has taken, whatever its datatype.
Bytes received_bytes(const MPI_Status& status);

/// MPI_SEND, at the entry of a blocking send. Nothing for MPI_PROC_NULL.
void record_send(MpiCall& call, int destination, int tag, MPI_Comm comm, int count, MPI_Datatype type);

/// MPI_RECV, at the return of a blocking receive.
void record_receive(MpiCall& call, MPI_Comm comm, OwnStatus& status, int outcome);
void record_receive(MpiCall& call, std::uint32_t comm, const MPI_Status& status);

/// MPI_ISEND, at the entry; the request's number, or kNoRequest for MPI_PROC_NULL.
RequestId record_isend(MpiCall& call, int destination, int tag, MPI_Comm comm, int count, MPI_Datatype type);

/// MPI_IRECV_REQUEST, at the entry; the request's number, or kNoRequest for MPI_PROC_NULL.
RequestId record_irecv(MpiCall& call, int source);

/// Remember the request that such a call has returned.
void track_send(RequestId id, const MPI_Request* request, int outcome);
void track_receive(RequestId id, MPI_Comm comm, const MPI_Request* request, int outcome);
void track_receive(RequestId id, std::uint32_t comm, const MPI_Request* request, int outcome);

/// Remember a persistent request and what MPI_Start will begin.
void track_send_init(int destination, int tag, MPI_Comm comm, int count, MPI_Datatype type, const MPI_Request* request, int outcome);
void track_receive_init(int source, MPI_Comm comm, const MPI_Request* request, int outcome);

/// The records of a persistent request that is being started.
void record_start(MpiCall& call, MPI_Request request, const MPI_Request* place);

}  // namespace tarry::measure

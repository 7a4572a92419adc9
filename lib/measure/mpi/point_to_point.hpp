// point_to_point.hpp -- records of messages: the hooks of sends and receives.
//
// Calls: may block.
#pragma once

#include "defs/definitions.hpp"
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

/// What was recorded of a blocking send before it.
struct SendRecord {
  RecordPlace place;
  CommId comm{0};
  Bytes bytes = 0;
  bool is_made = false;
};

/// MPI_SEND, at the entry of a send that may block. Nothing for MPI_PROC_NULL, and nothing yet for arguments that MPI
/// may refuse.
SendRecord record_send(MpiCall& call, int destination, int tag, MPI_Comm comm, MPI_Count count, MPI_Datatype type);

/// Behind the call: takes the record of a send that has failed back, and records one that had to wait for its success.
void finish_send(MpiCall& call, const SendRecord& sent, int destination, int tag, MPI_Comm comm, MPI_Count count,
                 MPI_Datatype type, int outcome);

/// MPI_RECV, at the return of a blocking receive.
void record_receive(MpiCall& call, MPI_Comm comm, OwnStatus& status, int outcome);
void record_receive(MpiCall& call, CommId comm, const MPI_Status& status);

// Of calls that have succeeded: MPI_ISEND and MPI_IRECV_REQUEST at their entry, and what the completion will need.
void record_isend(MpiCall& call, int destination, int tag, MPI_Comm comm, MPI_Count count, MPI_Datatype type,
                  const MPI_Request* request);
void record_irecv(MpiCall& call, int source, MPI_Comm comm, const MPI_Request* request);
void record_irecv(MpiCall& call, CommId comm, const MPI_Request* request);

/// MPI_ISEND and MPI_IRECV_REQUEST of a call that has succeeded, whose request completes both. `room`: bytes that the
/// receive may take.
void record_isendrecv(MpiCall& call, int destination, int send_tag, Bytes sent, int source, int receive_tag, Bytes room,
                      MPI_Comm comm, const MPI_Request* request);

/// Remembers a persistent request of a message in `partitions` parts of so many bytes.
void track_partitioned_init(RequestKind kind, int peer, int tag, MPI_Comm comm, int partitions, Bytes part_bytes,
                            const MPI_Request* request);

/// So many parts more of a message are ready to be sent. With the last one the send begins: MPI_ISEND.
void record_ready(MpiCall& call, int partitions, MPI_Request request);

/// MPI_IRECV of a message in parts, or of MPI_Isendrecv with the end of its send.
void record_irecv_end(MpiCall& call, const TrackedRequest& request, const MPI_Status& status);

/// Remember a persistent request that was made, and what MPI_Start will begin.
void track_send_init(int destination, int tag, MPI_Comm comm, MPI_Count count, MPI_Datatype type,
                     const MPI_Request* request);
void track_receive_init(int source, MPI_Comm comm, const MPI_Request* request);

/// The records of a persistent request that was started. `handle` stood at `place` before; another one may be there
/// now.
void record_start(MpiCall& call, MPI_Request handle, const MPI_Request* place);

}  // namespace tarry::measure

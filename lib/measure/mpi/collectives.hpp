// collectives.hpp -- records of collective operations and of communicators that come and go.
//
// Calls: may block.
#pragma once

#include "measure/mpi/collective_bytes.hpp"
#include "measure/core/meetings.hpp"
#include "measure/mpi/mpi_call.hpp"
#include "measure/mpi/request_table.hpp"

namespace tarry::measure {

/// MPI_COLLECTIVE_BEGIN, at the entry.
RecordPlace record_collective_begin(MpiCall& call);

/// The operation has returned, and so does the call. False if it was none after all: then its begin is taken back.
bool has_ended(MpiCall& call, const RecordPlace& begin, int outcome);

/// MPI_COLLECTIVE_END, at the return. `root`: MPI_PROC_NULL where there is none.
void record_collective_end(MpiCall& call, CollectiveOp operation, const CommInfo& comm, int root,
                           CollectiveBytes bytes);

/// NON_BLOCKING_COLLECTIVE_REQUEST, at the entry of a call that has succeeded, and what the completion will need.
void record_icollective(MpiCall& call, CollectiveOp operation, const CommInfo& comm, int root, CollectiveBytes bytes,
                        const MPI_Request* request, RequestDetails* details = nullptr);

/// Remembers a persistent request of a collective, which MPI_Start will begin. Processes may start several of them in
/// different orders, so that each has a communicator of its own in the records.
void track_collective_init(CollectiveOp operation, MPI_Comm comm, int root, CollectiveBytes bytes,
                           const MPI_Request* request, std::vector<PartnerMask> partners = {});

/// The records of one that has been started, with its new number.
void record_collective_start(MpiCall& call, const TrackedRequest& request);

/// NON_BLOCKING_COLLECTIVE_COMPLETE.
void record_icollective_end(MpiCall& call, const TrackedRequest& request);

// Communicators are named (and talked about) before the return is stamped: that time belongs to the call that makes
// them.

/// COMM_CREATE and the END of the collective that made it. `created` may hold MPI_COMM_NULL.
void record_comm_create(MpiCall& call, const RecordPlace& begin, MPI_Comm parent, const MPI_Comm* created, int outcome);

/// The same where only members of the new communicator take part: the END is one of the new communicator.
void record_comm_create_group(MpiCall& call, const RecordPlace& begin, MPI_Comm parent, const MPI_Comm* created,
                              int outcome);

/// Tells whoever comes to `port` that the recorder is here; `own` and `root` may be wrong.
Handshake prepare_meeting(MPI_Comm own, int root, Handshake::Side side, const char* port);

/// The same for the process at the other end of a socket, if that is one of a network.
Handshake prepare_meeting(int socket);

/// COMM_CREATE of a communicator between the members of `own` and other processes, of this job or another one.
void record_comm_meet(MpiCall& call, Handshake& handshake, MPI_Comm own, int root, const MPI_Comm* created,
                      int outcome);

/// The same with the END of the collective that has brought the two groups together.
void record_comm_bridge(MpiCall& call, const RecordPlace& begin, MPI_Comm own, const MPI_Comm* created, int outcome);

#ifdef TARRY_MPI_HAS_Session_init
/// The same for the members of `own_group`. `tag`: that of the call.
void record_comm_bridge_groups(MpiCall& call, const RecordPlace& begin, MPI_Group own_group, const char* tag,
                               const MPI_Comm* created, int outcome);
#endif

/// Tells processes that the members of `own` will spawn that the recorder is here; `own` may not be a communicator.
Announcement announce_spawn(MPI_Comm own);

/// COMM_CREATE of a communicator between the members of `own` and processes that they have spawned, and the END of the
/// collective of `own`. If those are not recorded, the archive notes it.
void record_comm_spawn(MpiCall& call, const RecordPlace& begin, const Announcement& announced, MPI_Comm own, int root,
                       const MPI_Comm* created, int outcome);

/// COMM_CREATE of a communicator that MPI_Comm_idup has made.
void record_comm_idup_end(MpiCall& call, const PendingComm& pending);

}  // namespace tarry::measure

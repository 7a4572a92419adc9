// collectives.cpp -- records of collective operations and of communicators that come and go.
#include "measure/mpi/collectives.hpp"

#include <atomic>

#include "measure/core/runtime.hpp"
#include "measure/mpi/mpi_entry.hpp"

namespace tarry::measure {
namespace {

std::uint64_t root_field(int root) { return optional_field(root < 0 ? kNoField : static_cast<std::uint64_t>(root)); }

void put_create(MpiCall& call, const CommInfo& created) { call.put(EventKind::kCommCreate, created.id); }

}  // namespace

void record_collective_begin(MpiCall& call) { call.put(EventKind::kMpiCollectiveBegin); }

void record_collective_end(MpiCall& call, CollectiveOp operation, const CommInfo& comm, int root,
                           CollectiveBytes bytes) {
  call.put(EventKind::kMpiCollectiveEnd, static_cast<unsigned>(operation), comm.id, root_field(root), bytes.sent,
           bytes.received);
  count_bytes(call.thread(), bytes.sent, bytes.received);
}

PendingCollective record_icollective(MpiCall& call, CollectiveOp operation, const CommInfo& comm, int root,
                                     CollectiveBytes bytes) {
  TrackedRequest request;
  request.kind = RequestKind::kCollective;
  request.operation = operation;
  request.comm = comm.id;
  request.peer = root;
  request.bytes = bytes;
  request.id = next_request_id();
  call.put(EventKind::kNonBlockingCollectiveRequest, request.id);
  count_bytes(call.thread(), bytes.sent, bytes.received);
  return {request};
}

void track_collective(const PendingCollective& pending, const MPI_Request* request, int outcome) {
  remember_request(pending.request, request, outcome);
}

void record_icollective_end(MpiCall& call, const TrackedRequest& request) {
  call.put(EventKind::kNonBlockingCollectiveComplete, static_cast<unsigned>(request.operation), request.comm,
           root_field(request.peer), request.bytes.sent, request.bytes.received, request.id);
}

void record_comm_create(MpiCall& call, MPI_Comm parent, const MPI_Comm* created, int outcome) {
  const CommInfo parent_info = find_comm(parent);
  const bool is_member = outcome == MPI_SUCCESS && *created != MPI_COMM_NULL;
  const CommInfo info = is_member ? name_comm(parent_info, *created) : CommInfo();
  call.returned();
  if (is_member) put_create(call, info);
  record_collective_end(call, CollectiveOp::kCreateHandle, parent_info, MPI_PROC_NULL, {});
}

void record_comm_create_group(MpiCall& call, MPI_Comm parent, const MPI_Comm* created, int outcome) {
  const bool is_member = outcome == MPI_SUCCESS && *created != MPI_COMM_NULL;
  const CommInfo info = is_member ? name_comm(find_comm(parent), *created) : find_comm(MPI_COMM_SELF);
  call.returned();
  if (is_member) put_create(call, info);
  record_collective_end(call, CollectiveOp::kCreateHandle, info, MPI_PROC_NULL, {});
}

void record_comm_foreign(MpiCall& call, const MPI_Comm* created, int outcome) {
  call.returned();
  if (outcome == MPI_SUCCESS && *created != MPI_COMM_NULL) put_create(call, name_foreign_comm(*created));
}

void record_comm_spawn(MpiCall& call, const MPI_Comm* created, int outcome) {
  record_comm_foreign(call, created, outcome);
  static std::atomic<bool> is_said = false;
  if (outcome == MPI_SUCCESS && !is_said.exchange(true))
    definitions().add_property("not_recorded", "processes started by MPI_Comm_spawn");
}

void record_comm_idup_end(MpiCall& call, PendingComm* pending) {
  const CommInfo parent = find_comm(pending->parent);
  if (pending->is_agreed) {
    PMPI_Wait(&pending->uid_request, MPI_STATUS_IGNORE);
    put_create(call, define_comm(pending->created, pending->uid, &parent, false));
  } else {
    put_create(call, name_foreign_comm(pending->created));
  }
  delete pending;
}

namespace {

// The name travels on the parent, without blocking, like the call itself: a blocking exchange at the completion could
// wait for a process that waits for this one. Between two groups there is no root to send it; such copies get a name
// of their own in each process.
PendingComm* begin_naming(MPI_Comm parent, MPI_Comm created) {
  auto* pending = new PendingComm;
  pending->parent = parent;
  pending->created = created;
  const CommInfo info = find_comm(parent);
  pending->is_agreed = !info.is_inter && !info.is_foreign;
  if (!pending->is_agreed) return pending;
  if (info.rank == 0) pending->uid = next_comm_uid();
  PMPI_Ibcast(&pending->uid, 1, MPI_UINT64_T, 0, parent, &pending->uid_request);
  return pending;
}

int free_comm(MpiFunction function, int (*release)(MPI_Comm*), MPI_Comm* comm) {
  MpiCall call(function);
  if (!call.is_recorded() || *comm == MPI_COMM_NULL) return release(comm);
  record_collective_begin(call);
  const CommInfo info = find_comm(*comm);
  forget_comm(*comm);  // before another thread can be given the same handle
  const int outcome = release(comm);
  call.returned();
  record_collective_end(call, CollectiveOp::kDestroyHandle, info, MPI_PROC_NULL, {});
  call.put(EventKind::kCommDestroy, info.id);
  return outcome;
}

}  // namespace
}  // namespace tarry::measure

using namespace tarry;
using namespace tarry::measure;

TARRY_MPI_ENTRY int MPI_Comm_idup(MPI_Comm comm, MPI_Comm* newcomm, MPI_Request* request) {
  MpiCall call(MpiFunction::Comm_idup);
  if (!call.is_recorded()) return PMPI_Comm_idup(comm, newcomm, request);
  PendingCollective pending = record_icollective(call, CollectiveOp::kCreateHandle, find_comm(comm), MPI_PROC_NULL, {});
  const int outcome = PMPI_Comm_idup(comm, newcomm, request);
  if (outcome == MPI_SUCCESS) pending.request.created = begin_naming(comm, *newcomm);
  call.returned();
  track_collective(pending, request, outcome);
  return outcome;
}

TARRY_MPI_ENTRY int MPI_Comm_free(MPI_Comm* comm) { return free_comm(MpiFunction::Comm_free, PMPI_Comm_free, comm); }

TARRY_MPI_ENTRY int MPI_Comm_disconnect(MPI_Comm* comm) {
  return free_comm(MpiFunction::Comm_disconnect, PMPI_Comm_disconnect, comm);
}

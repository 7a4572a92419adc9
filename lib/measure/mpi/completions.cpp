// completions.cpp -- requests on their way: start, wait, cancel, free.
#include "measure/mpi/completions.hpp"

#include "measure/mpi/collectives.hpp"
#include "measure/mpi/files.hpp"
#include "measure/mpi/mpi_entry.hpp"
#include "measure/mpi/point_to_point.hpp"

namespace tarry::measure {
namespace {

bool was_cancelled(const TrackedRequest& request, const MPI_Status& status) {
  int flag = 0;
  if (request.is_cancelled) PMPI_Test_cancelled(&status, &flag);
  return flag;
}

void record_completion(MpiCall& call, const TrackedRequest& request, const MPI_Status& status) {
  if (request.kind == RequestKind::kCollective) {
    if (request.operation == CollectiveOp::kCreateHandle) record_comm_idup_end(call, request.details->created);
    record_icollective_end(call, request);
  } else if (request.kind == RequestKind::kAccess) {
    call.put(record::RmaOpCompleteNonBlocking{.window = request.object.window(), .matching = request.id});
  } else if (request.kind == RequestKind::kFile) {
    record_file_bytes(call, request.object.file(), received_bytes(status), request.id,
                      request.tag ? FileMode::kWrite : FileMode::kRead);
  } else if (was_cancelled(request, status)) {
    call.put(record::MpiRequestCancelled{.request = request.id});
  } else if (request.kind == RequestKind::kSend) {
    call.put(record::MpiIsendComplete{.request = request.id});
  } else if (request.details) {
    record_irecv_end(call, request, status);
  } else {
    const Bytes bytes = received_bytes(status);
    call.put(record::MpiIrecv{.sender = CommRank(static_cast<unsigned>(status.MPI_SOURCE)),
                              .comm = request.object.comm(),
                              .tag = static_cast<unsigned>(status.MPI_TAG),
                              .bytes = bytes,
                              .request = request.id});
  }
}

// Few requests have any: the others must not pay for it.
[[gnu::cold, gnu::noinline]] void drop(const RequestDetails* details) { delete details; }

// A cancelled send that the program frees is not asked for its end again.
bool is_send_cancelled_by_now(MPI_Request handle, const MPI_Request* place) {
  bool is_asked = false;
  with_request(handle, place, [&is_asked](auto&, const TrackedRequest& request) {
    is_asked = request.is_active && request.is_cancelled && request.kind == RequestKind::kSend;
  });
  MPI_Status status;
  int flag = 0;
  if (is_asked && PMPI_Request_get_status(handle, &flag, &status) == MPI_SUCCESS && flag)
    PMPI_Test_cancelled(&status, &flag);
  return flag;
}

// MPI has given the request up; what it was to do counts as cancelled.
void record_failure(MpiCall& call, const TrackedRequest& request) {
  if (request.kind == RequestKind::kSend || request.kind == RequestKind::kReceive)
    call.put(record::MpiRequestCancelled{.request = request.id});
  if (request.details && request.details->send != kNoRequest)
    call.put(record::MpiRequestCancelled{.request = request.details->send});
  if (request.kind == RequestKind::kFile)
    record_file_bytes(call, request.object.file(), 0, request.id, request.tag ? FileMode::kWrite : FileMode::kRead);
}

}  // namespace

void complete(MpiCall& call, MPI_Request handle, const MPI_Request* place, const MPI_Status& status, int error) {
  if (handle == MPI_REQUEST_NULL || error_class_of(error) == MPI_ERR_PENDING) return;
  TrackedRequest request;
  const RequestDetails* unneeded = nullptr;
  with_request(handle, place, [&](auto& table, TrackedRequest& tracked) {
    if (tracked.is_active) request = tracked;
    tracked.is_active = false;
    const bool is_freed = !tracked.is_persistent || *place != handle;
    if (!is_freed) return;
    unneeded = tracked.details;
    table.remove(handle, &tracked);
  });
  if (request.kind != RequestKind::kNothing)
    has_taken_part(error) ? record_completion(call, request, status) : record_failure(call, request);
  if (unneeded) [[unlikely]]
    drop(unneeded);
}

// MPI frees a request that has failed, whatever its kind.
void complete_failed(MpiCall& call, MPI_Request handle, const MPI_Request* place, const MPI_Status& status,
                     int outcome) {
  if (place && *place != handle) complete(call, handle, place, status, outcome);
}

void record_test(MpiCall& call, MPI_Request handle, const MPI_Request* place) {
  if (handle == MPI_REQUEST_NULL) return;
  with_request(handle, place, [&call](auto&, const TrackedRequest& request) {
    if (!request.is_active || request.kind == RequestKind::kNothing) return;
    if (request.kind == RequestKind::kAccess)
      call.put(record::RmaOpTest{.window = request.object.window(), .matching = request.id});
    else if (request.kind == RequestKind::kFile)
      call.put(record::IoOperationTest{.handle = request.object.file(), .matching = request.id});
    else if (request.id != kNoRequest)  // a partitioned send may not be ready yet
      call.put(record::MpiRequestTest{.request = request.id});
  });
}

Scratch& scratch() {
  static __thread Scratch* mine = nullptr;
  if (!mine) mine = new Scratch;
  return *mine;
}

}  // namespace tarry::measure

using namespace tarry;
using namespace tarry::measure;

TARRY_MPI_ENTRY int MPI_Start(MPI_Request* request) {
  MpiCall call(MpiFunction::Start);
  if (!call.is_recorded()) return NMPI_Start(request);
  const MPI_Request handle = request ? *request : MPI_REQUEST_NULL;
  const int outcome = NMPI_Start(request);
  if (outcome == MPI_SUCCESS) record_start(call, handle, request);
  call.returned();
  return outcome;
}

TARRY_MPI_ENTRY int MPI_Startall(int count, MPI_Request list[]) {
  MpiCall call(MpiFunction::Startall);
  if (!call.is_recorded()) return NMPI_Startall(count, list);
  Scratch& before = scratch();
  before.prepare(count, list, nullptr);
  const int outcome = NMPI_Startall(count, list);
  for (int i = 0; i < count && outcome == MPI_SUCCESS; ++i) record_start(call, before.handles[i], &list[i]);
  call.returned();
  return outcome;
}

TARRY_MPI_ENTRY int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  MpiCall call(MpiFunction::Wait);
  if (!call.is_recorded()) return NMPI_Wait(request, status);
  OwnStatus result(status);
  const MPI_Request handle = request ? *request : MPI_REQUEST_NULL;
  const int outcome = NMPI_Wait(request, result.get());
  call.returned();
  if (outcome == MPI_SUCCESS) complete(call, handle, request, *result.get());
  else complete_failed(call, handle, request, *result.get(), outcome);
  return outcome;
}

TARRY_MPI_ENTRY int MPI_Waitall(int count, MPI_Request list[], MPI_Status statuses[]) {
  MpiCall call(MpiFunction::Waitall);
  if (!call.is_recorded()) return NMPI_Waitall(count, list, statuses);
  Scratch& before = scratch();
  before.prepare(count, list, statuses);
  const int outcome = NMPI_Waitall(count, list, before.statuses);
  call.returned();
  for (int i = 0; i < count && has_statuses(outcome); ++i)
    complete(call, before.handles[i], &list[i], before.statuses[i], error_of(before.statuses[i], outcome));
  return outcome;
}

TARRY_MPI_ENTRY int MPI_Waitany(int count, MPI_Request list[], int* index, MPI_Status* status) {
  MpiCall call(MpiFunction::Waitany);
  if (!call.is_recorded()) return NMPI_Waitany(count, list, index, status);
  OwnStatus result(status);
  Scratch& before = scratch();
  before.prepare(count, list, nullptr);
  const int outcome = NMPI_Waitany(count, list, index, result.get());
  call.returned();
  if (outcome == MPI_SUCCESS && *index != MPI_UNDEFINED)
    complete(call, before.handles[*index], &list[*index], *result.get());
  for (int i = 0; i < count && list && outcome != MPI_SUCCESS; ++i)
    complete_failed(call, before.handles[i], &list[i], *result.get(), outcome);
  return outcome;
}

TARRY_MPI_ENTRY int MPI_Waitsome(int count, MPI_Request list[], int* done, int indices[], MPI_Status statuses[]) {
  MpiCall call(MpiFunction::Waitsome);
  if (!call.is_recorded()) return NMPI_Waitsome(count, list, done, indices, statuses);
  Scratch& before = scratch();
  before.prepare(count, list, statuses);
  const int outcome = NMPI_Waitsome(count, list, done, indices, before.statuses);
  call.returned();
  for (int i = 0; has_statuses(outcome) && *done != MPI_UNDEFINED && i < *done; ++i)
    complete(call, before.handles[indices[i]], &list[indices[i]], before.statuses[i],
             error_of(before.statuses[i], outcome));
  return outcome;
}

TARRY_MPI_ENTRY int MPI_Cancel(MPI_Request* request) {
  MpiCall call(MpiFunction::Cancel);
  if (!call.is_recorded()) return NMPI_Cancel(request);
  const int outcome = NMPI_Cancel(request);
  call.returned();
  if (outcome == MPI_SUCCESS)
    with_request(*request, request, [](auto&, TrackedRequest& tracked) { tracked.is_cancelled = true; });
  return outcome;
}

// A send that is freed goes on and its end will not be seen: it counts as complete here, unless it is cancelled.
TARRY_MPI_ENTRY int MPI_Request_free(MPI_Request* request) {
  MpiCall call(MpiFunction::Request_free);
  if (!call.is_recorded()) return NMPI_Request_free(request);
  const MPI_Request handle = request ? *request : MPI_REQUEST_NULL;
  const bool is_cancelled = handle != MPI_REQUEST_NULL && is_send_cancelled_by_now(handle, request);
  const int outcome = NMPI_Request_free(request);
  call.returned();
  if (outcome != MPI_SUCCESS) return outcome;
  with_request(handle, request, [&](auto& table, const TrackedRequest& tracked) {
    if (tracked.is_active && tracked.kind == RequestKind::kSend) {
      if (is_cancelled) call.put(record::MpiRequestCancelled{.request = tracked.id});
      else call.put(record::MpiIsendComplete{.request = tracked.id});
    }
    if (tracked.is_active && tracked.details && tracked.details->send != kNoRequest)
      call.put(record::MpiIsendComplete{.request = tracked.details->send});
    delete tracked.details;
    table.remove(handle, &tracked);
  });
  return outcome;
}

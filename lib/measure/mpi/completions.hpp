// completions.hpp -- what is recorded of requests that are waited or tested for.
//
// Calls: may block.
#pragma once

#include <cstring>
#include <vector>

#include "measure/mpi/mpi_api.hpp"
#include "measure/mpi/mpi_call.hpp"
#include "measure/mpi/outcomes.hpp"

namespace tarry::measure {

/// The records of a request's completion. `handle` stood at `place` before the call that has completed it; `error` is
/// the request's own.
void complete(MpiCall& call, MPI_Request handle, const MPI_Request* place, const MPI_Status& status,
              int error = MPI_SUCCESS);

/// Of a call that has failed: the same if it is the request that has failed, and not the call.
void complete_failed(MpiCall& call, MPI_Request handle, const MPI_Request* place, const MPI_Status& status,
                     int outcome);

/// The error of one of several requests.
inline int error_of(const MPI_Status& status, int outcome) {
  return error_class_of(outcome) == MPI_ERR_IN_STATUS ? status.MPI_ERROR : MPI_SUCCESS;
}

/// MPI_REQUEST_TEST, RMA_OP_TEST or IO_OPERATION_TEST: the request was tested and is not complete.
void record_test(MpiCall& call, MPI_Request handle, const MPI_Request* place);

/// Handles as they were before a call that overwrites them, and room for its statuses. One per thread, which it keeps.
struct Scratch {
  static constexpr std::size_t kRoomAtFirst = 64;

  std::vector<MPI_Request> handles = std::vector<MPI_Request>(kRoomAtFirst);
  std::vector<MPI_Status> own_statuses = std::vector<MPI_Status>(kRoomAtFirst);
  MPI_Status* statuses = nullptr;

  void prepare(int count, const MPI_Request* requests, MPI_Status* wanted) {
    const std::size_t size = count > 0 ? static_cast<std::size_t>(count) : 0;
    if (handles.size() < size) handles.resize(size);
    if (size && requests) std::memcpy(handles.data(), requests, size * sizeof *requests);
    statuses = wanted;
    if (wanted != MPI_STATUSES_IGNORE) return;
    if (own_statuses.size() < size) own_statuses.resize(size);
    statuses = own_statuses.data();
  }
};

Scratch& scratch();

}  // namespace tarry::measure

// one_sided.hpp -- records of one-sided communication: the hooks of MPI_Win_* and of accesses.
//
// Calls: may block.
#pragma once

#include "base/units.hpp"
#include "measure/mpi/mpi_call.hpp"
#include "measure/mpi/request_table.hpp"
#include "measure/mpi/window_table.hpp"

namespace tarry::measure {

/// Numbers as in OTF2_RmaAtomicType.
enum class AtomicType : std::uint8_t { kAccumulate = 0, kCompareAndSwap = 3, kSwap = 4, kFetchAndAccumulate = 7 };

/// Stands for all processes of a window in records of locks.
inline constexpr CommRank kAllTargets{0xffffffffu};
inline constexpr CommRank kNobody{0xfffffffeu};

/// Of a rank that a lock or flush names: MPI_PROC_NULL of one ABI is -1, of another one -2.
inline CommRank target_number(int rank) {
  return rank == MPI_PROC_NULL ? kNobody : CommRank(static_cast<std::uint32_t>(rank));
}

/// RMA_COLLECTIVE_BEGIN, at the entry of a call of all processes of a window.
RecordPlace record_window_begin(MpiCall& call);

/// RMA_WIN_CREATE and the END of the call that made the window.
void record_window_create(MpiCall& call, const RecordPlace& begin, MPI_Comm comm, const MPI_Win* created,
                          bool is_allocated, int outcome);

/// RMA_COLLECTIVE_END of a fence; what was accessed before is complete.
void record_fence(MpiCall& call, const RecordPlace& begin, MPI_Win window, int outcome);

// RMA_GROUP_SYNC, at the return.
void record_post(MpiCall& call, MPI_Group group, MPI_Win window);
void record_start(MpiCall& call, MPI_Group group, MPI_Win window);
void record_complete(MpiCall& call, MPI_Win window);
void record_exposure_end(MpiCall& call, MPI_Win window);

/// RMA_REQUEST_LOCK, at the entry.
RecordPlace record_lock(MpiCall& call, CommRank target, int lock_type, MPI_Win window);

/// RMA_RELEASE_LOCK, at the return; what was accessed there is complete.
void record_unlock(MpiCall& call, CommRank target, MPI_Win window);

/// Accesses to a target, or to all, are complete there (kRmaOpCompleteRemote) or here (kRmaOpCompleteBlocking).
template <class Completion>
void record_flush(MpiCall& call, CommRank target, MPI_Win window);

void record_window_sync(MpiCall& call, MPI_Win window);

// RMA_PUT, RMA_GET, RMA_ATOMIC, at the entry of a call that has succeeded; with a request also what its completion
// needs.
void record_put(MpiCall& call, int target, MPI_Win window, Bytes bytes);
void record_get(MpiCall& call, int target, MPI_Win window, Bytes bytes);
void record_atomic(MpiCall& call, int target, MPI_Win window, AtomicType type, Bytes sent, Bytes received);
void record_rput(MpiCall& call, int target, MPI_Win window, Bytes bytes, const MPI_Request* request);
void record_rget(MpiCall& call, int target, MPI_Win window, Bytes bytes, const MPI_Request* request);
void record_ratomic(MpiCall& call, int target, MPI_Win window, AtomicType type, Bytes sent, Bytes received,
                    const MPI_Request* request);

/// Bytes that an operation sends: none if it only fetches. MPI ignores the datatype then.
inline Bytes operand_bytes(MPI_Op operation, MPI_Count count, MPI_Datatype type) {
  return operation == MPI_NO_OP ? 0 : bytes_of(count, type);
}

/// What fetches with an operation.
inline AtomicType fetch_type(MPI_Op operation) {
  return operation == MPI_REPLACE ? AtomicType::kSwap : AtomicType::kFetchAndAccumulate;
}

}  // namespace tarry::measure

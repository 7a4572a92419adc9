// request_table.hpp -- the requests of this process that are not complete, and what their completion has to record.
//
// Calls: may block.
#pragma once

#include <cstdint>
#include <vector>

#include "base/units.hpp"
#include "defs/definitions.hpp"
#include "measure/mpi/collective_bytes.hpp"
#include "measure/mpi/handle_table.hpp"
#include "measure/mpi/mpi_api.hpp"
#include "measure/mpi/mpi_call.hpp"
#include "measure/mpi/partners.hpp"
#include "trace/event.hpp"

namespace tarry::measure {

/// Number of a request within its process; never given twice.
inline constexpr RequestId kNoRequest = ~RequestId{0};

RequestId next_request_id();

/// A communicator that is being made by MPI_Comm_idup.
struct PendingComm {
  MPI_Comm created = MPI_COMM_NULL;  // Open MPI knows the handle at once; the variable may be one of a Fortran binding
  CommInfo parent;
  std::uint64_t creation = 0;  // begin_creation()
};

/// What few requests need besides; goes with the entry.
struct RequestDetails {
  PendingComm created{};
  std::vector<PartnerMask> partners{};  // of a persistent collective
  bool is_isendrecv = false;            // whose own number is that of its receive
  RequestId send = kNoRequest;          // the number of its send
  int partitions = 0;                   // 0: the message is not partitioned
  int missing_partitions = 0;           // that are not ready to be sent
};

enum class RequestKind : std::uint8_t { kNothing, kSend, kReceive, kCollective, kAccess, kFile };

/// A request is about a communicator; an access is about a window, an operation on a file about the file.
class RequestObject {
 public:
  constexpr RequestObject() = default;
  constexpr RequestObject(CommId comm) : number_(comm.value) {}
  constexpr RequestObject(WindowId window) : number_(window.value) {}
  constexpr RequestObject(IoHandleId file) : number_(file.value) {}

  constexpr CommId comm() const { return CommId(number_); }
  constexpr WindowId window() const { return WindowId(number_); }
  constexpr IoHandleId file() const { return IoHandleId(number_); }

 private:
  std::uint32_t number_ = 0;
};

struct TrackedRequest {
  RequestKind kind = RequestKind::kNothing;  // kNothing: from or to MPI_PROC_NULL
  bool is_persistent = false;
  bool is_active = true;
  bool is_cancelled = false;  // MPI_Cancel was called; whether it came in time shows at completion
  CollectiveOp operation = CollectiveOp::kBarrier;
  RequestObject object{};
  std::int32_t peer = MPI_PROC_NULL;  // destination of a persistent send, root of a collective
  std::int32_t tag = 0;               // of a file operation 1 if it writes
  RequestId id = kNoRequest;
  CollectiveBytes bytes{};  // of a persistent send or a collective
  RequestDetails* details = nullptr;
  const MPI_Request* place = nullptr;  // the variable the program got the handle in
};

/// The requests that one thread has started. Each thread has a table of its own, not only for speed. Open MPI gives one
/// and the same handle to all requests that are complete at once, and a thread must find its own among them.
struct ThreadRequests {
  RecorderLock lock;
  HandleTable<MPI_Request, TrackedRequest> table;
  ThreadRequests* next = nullptr;  // of all threads
};

/// Of the calling thread; made when it is first asked for, and never destroyed: MPI may be called while the program
/// ends.
ThreadRequests& own_requests();

/// The tables of all threads.
ThreadRequests* all_requests();

/// Enters a request of the calling thread that MPI has put into `*place`.
inline void remember_request(TrackedRequest tracked, const MPI_Request* place) {
  if (*place == MPI_REQUEST_NULL) return;
  tracked.place = place;
  ThreadRequests& mine = own_requests();
  const CallLock lock(mine.lock);
  mine.table.add(*place, tracked);
}

/// Calls use(table, entry) for a request, while its table is locked; false if it is not known. Among equal handles of a
/// thread it is the one that was handed out in `place` if it is near. A thread may complete what another has started.
template <class Use>
bool with_request(MPI_Request request, const MPI_Request* place, Use use) {
  const auto use_of = [&](ThreadRequests& thread) {
    const CallLock lock(thread.lock);
    TrackedRequest* found = thread.table.find(request, [place](const TrackedRequest& t) { return t.place == place; });
    if (found) use(thread.table, *found);
    return found != nullptr;
  };
  ThreadRequests& own = own_requests();
  if (use_of(own)) [[likely]]
    return true;
  for (ThreadRequests* other = all_requests(); other; other = other->next)
    if (other != &own && use_of(*other)) return true;
  return false;
}

}  // namespace tarry::measure

// one_sided.cpp -- records of one-sided communication.
#include "measure/mpi/one_sided.hpp"

#include "measure/mpi/mpi_entry.hpp"
#include "measure/mpi/unsuccessful_tests.hpp"

namespace tarry::measure {
namespace {

// As in OTF2_RmaSyncLevel.
constexpr unsigned kProcesses = 1, kMemory = 2;

constexpr unsigned kExclusiveLock = 0, kSharedLock = 1, kLockNumber = 0, kMemorySync = 0;

void put_collective_end(MpiCall& call, CollectiveOp operation, unsigned level, WindowId window) {
  call.put(EventKind::kRmaCollectiveEnd, static_cast<unsigned>(operation), level, window, optional_field(kNoField), 0u,
           0u);
}

void complete_accesses(MpiCall& call, WindowState& window, CommRank target, EventKind completion) {
  if (window.open_accesses.size() == 0) return;
  if (target == kAllTargets) {
    window.open_accesses.for_each(
        [&](std::uint32_t, std::uint64_t matching) { call.put(completion, window.id, matching); });
    return window.open_accesses.clear();
  }
  const std::uint64_t* matching = window.open_accesses.find(target.value);
  if (!matching) return;
  call.put(completion, window.id, *matching);
  window.open_accesses.erase(target.value);
}

// The number of the accesses to one target that the next completing call completes.
std::uint64_t open_matching(WindowState& window, int target) {
  std::uint64_t& matching = window.open_accesses.insert(static_cast<std::uint32_t>(target), kNoRequest);
  if (matching == kNoRequest) matching = next_request_id();
  return matching;
}

// Calls record(window, matching), with a number of its own if the access has a request.
template <class Record>
void record_access(int target, MPI_Win window, const MPI_Request* request, Record record) {
  TrackedRequest tracked{.kind = RequestKind::kAccess};
  with_window(window, [&](WindowState& state) {
    tracked.object = state.id;
    tracked.id = request ? next_request_id() : open_matching(state, target);
    record(state.id, tracked.id);
  });
  if (request && tracked.id != kNoRequest) remember_request(tracked, request);
}

void record_transfer(MpiCall& call, EventKind kind, int target, MPI_Win window, const MPI_Request* request,
                     Bytes bytes) {
  record_access(target, window, request, [&](WindowId id, std::uint64_t matching) {
    call.put(kind, id, static_cast<unsigned>(target), bytes, matching);
  });
}

void record_any_atomic(MpiCall& call, int target, MPI_Win window, const MPI_Request* request, AtomicType type,
                       Bytes sent, Bytes received) {
  record_access(target, window, request, [&](WindowId id, std::uint64_t matching) {
    call.put(EventKind::kRmaAtomic, id, static_cast<unsigned>(target), static_cast<unsigned>(type), sent, received,
             matching);
  });
}

}  // namespace

RecordPlace record_window_begin(MpiCall& call) { return call.put_tentatively(EventKind::kRmaCollectiveBegin); }

void record_window_create(MpiCall& call, const RecordPlace& begin, MPI_Comm comm, const MPI_Win* created,
                          bool is_allocated, int outcome) {
  const bool is_made = outcome == MPI_SUCCESS && *created != MPI_WIN_NULL;
  const WindowId window = is_made ? define_window(*created, comm, is_allocated).id : WindowId();
  call.returned();
  if (!is_made) return call.take_back(begin);
  call.put(EventKind::kRmaWinCreate, window);
  put_collective_end(call, is_allocated ? CollectiveOp::kCreateHandleAndAllocate : CollectiveOp::kCreateHandle,
                     kProcesses, window);
}

void record_fence(MpiCall& call, const RecordPlace& begin, MPI_Win window, int outcome) {
  if (outcome != MPI_SUCCESS) return call.take_back(begin);
  with_window(window, [&](WindowState& state) {
    complete_accesses(call, state, kAllTargets, EventKind::kRmaOpCompleteRemote);
    put_collective_end(call, CollectiveOp::kBarrier, kProcesses | kMemory, state.id);
  });
}

void record_post(MpiCall& call, MPI_Group group, MPI_Win window) {
  if (group == MPI_GROUP_NULL) return;
  const GroupId id = group_id(group);
  with_window(window, [&](WindowState& state) {
    state.exposure_group = id;
    call.put(EventKind::kRmaGroupSync, kProcesses, state.id, id);
  });
}

void record_start(MpiCall& call, MPI_Group group, MPI_Win window) {
  if (group == MPI_GROUP_NULL) return;
  const GroupId id = group_id(group);
  with_window(window, [&](WindowState& state) {
    state.access_group = id;
    call.put(EventKind::kRmaGroupSync, kProcesses, state.id, id);
  });
}

void record_complete(MpiCall& call, MPI_Win window) {
  with_window(window, [&](WindowState& state) {
    complete_accesses(call, state, kAllTargets, EventKind::kRmaOpCompleteRemote);
    call.put(EventKind::kRmaGroupSync, kMemory, state.id, state.access_group);
  });
}

void record_exposure_end(MpiCall& call, MPI_Win window) {
  with_window(window, [&](const WindowState& state) {
    call.put(EventKind::kRmaGroupSync, kMemory, state.id, state.exposure_group);
  });
}

RecordPlace record_lock(MpiCall& call, CommRank target, int lock_type, MPI_Win window) {
  RecordPlace place;
  if (target == kNobody) return place;
  with_window(window, [&](const WindowState& state) {
    place = call.put_tentatively(EventKind::kRmaRequestLock, state.id, target, kLockNumber,
                                 lock_type == MPI_LOCK_EXCLUSIVE ? kExclusiveLock : kSharedLock);
  });
  return place;
}

void record_unlock(MpiCall& call, CommRank target, MPI_Win window) {
  if (target == kNobody) return;
  with_window(window, [&](WindowState& state) {
    complete_accesses(call, state, target, EventKind::kRmaOpCompleteRemote);
    call.put(EventKind::kRmaReleaseLock, state.id, target, kLockNumber);
  });
}

void record_flush(MpiCall& call, CommRank target, MPI_Win window, EventKind completion) {
  with_window(window, [&](WindowState& state) { complete_accesses(call, state, target, completion); });
}

void record_window_sync(MpiCall& call, MPI_Win window) {
  with_window(window,
              [&](const WindowState& state) { call.put(EventKind::kRmaSync, state.id, kAllTargets, kMemorySync); });
}

void record_put(MpiCall& call, int target, MPI_Win window, Bytes bytes) {
  record_transfer(call, EventKind::kRmaPut, target, window, nullptr, bytes);
}

void record_get(MpiCall& call, int target, MPI_Win window, Bytes bytes) {
  record_transfer(call, EventKind::kRmaGet, target, window, nullptr, bytes);
}

void record_atomic(MpiCall& call, int target, MPI_Win window, AtomicType type, Bytes sent, Bytes received) {
  record_any_atomic(call, target, window, nullptr, type, sent, received);
}

void record_rput(MpiCall& call, int target, MPI_Win window, Bytes bytes, const MPI_Request* request) {
  record_transfer(call, EventKind::kRmaPut, target, window, request, bytes);
}

void record_rget(MpiCall& call, int target, MPI_Win window, Bytes bytes, const MPI_Request* request) {
  record_transfer(call, EventKind::kRmaGet, target, window, request, bytes);
}

void record_ratomic(MpiCall& call, int target, MPI_Win window, AtomicType type, Bytes sent, Bytes received,
                    const MPI_Request* request) {
  record_any_atomic(call, target, window, request, type, sent, received);
}

namespace {

struct WindowTest : MessageProbe {
  static constexpr MpiFunction kFunction = MpiFunction::Win_test;
  static constexpr CoalescedFunction kCoalesced = CoalescedFunction::kWindowTest;
  MPI_Win window;

  int call(int, MPI_Status*) const { return NMPI_Win_test(window, answer); }
  void record(MpiCall& call, int outcome, const Tested&) const {
    if (outcome == MPI_SUCCESS && *answer) record_exposure_end(call, window);
  }
};

}  // namespace
}  // namespace tarry::measure

using namespace tarry;
using namespace tarry::measure;

TARRY_MPI_ENTRY int MPI_Win_free(MPI_Win* window) {
  MpiCall call(MpiFunction::Win_free);
  if (!call.is_recorded()) return NMPI_Win_free(window);
  const RecordPlace begin = record_window_begin(call);
  const MPI_Win handle = window ? *window : MPI_WIN_NULL;
  WindowState* state = forget_window(handle);  // before another thread can be given the same handle
  const int outcome = NMPI_Win_free(window);
  call.returned();
  if (outcome != MPI_SUCCESS || !state) {
    call.take_back(begin);
    if (state) remember_window(handle, state);
    return outcome;
  }
  put_collective_end(call,
                     state->is_allocated ? CollectiveOp::kDestroyHandleAndDeallocate : CollectiveOp::kDestroyHandle,
                     kProcesses, state->id);
  call.put(EventKind::kRmaWinDestroy, state->id);
  delete state;
  return outcome;
}

TARRY_MPI_ENTRY int MPI_Win_test(MPI_Win window, int* flag) { return run_test(WindowTest{{{flag}}, window}); }

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
  call.put(record::RmaCollectiveEnd{.operation = operation, .sync_level = level, .window = window});
}

// A `Completion` for each access that is open.
template <class Completion = record::RmaOpCompleteRemote>
void complete_accesses(MpiCall& call, WindowState& window, CommRank target) {
  if (window.open_accesses.size() == 0) return;
  if (target == kAllTargets) {
    window.open_accesses.for_each([&](std::uint32_t, std::uint64_t matching) {
      call.put(Completion{.window = window.id, .matching = matching});
    });
    return window.open_accesses.clear();
  }
  const std::uint64_t* matching = window.open_accesses.find(target.value);
  if (!matching) return;
  call.put(Completion{.window = window.id, .matching = *matching});
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

template <class Transfer>
void record_transfer(MpiCall& call, int target, MPI_Win window, const MPI_Request* request, Bytes bytes) {
  record_access(target, window, request, [&](WindowId id, std::uint64_t matching) {
    call.put(Transfer{
        .window = id, .remote = CommRank(static_cast<unsigned>(target)), .bytes = bytes, .matching = matching});
  });
}

void record_any_atomic(MpiCall& call, int target, MPI_Win window, const MPI_Request* request, AtomicType type,
                       Bytes sent, Bytes received) {
  record_access(target, window, request, [&](WindowId id, std::uint64_t matching) {
    call.put(record::RmaAtomic{.window = id,
                               .remote = CommRank(static_cast<unsigned>(target)),
                               .atomic_type = static_cast<unsigned>(type),
                               .sent = sent,
                               .received = received,
                               .matching = matching});
  });
}

}  // namespace

RecordPlace record_window_begin(MpiCall& call) { return call.put_tentatively(record::RmaCollectiveBegin()); }

void record_window_create(MpiCall& call, const RecordPlace& begin, MPI_Comm comm, const MPI_Win* created,
                          bool is_allocated, int outcome) {
  const bool is_made = outcome == MPI_SUCCESS && *created != MPI_WIN_NULL;
  const WindowId window = is_made ? define_window(*created, comm, is_allocated).id : WindowId();
  call.returned();
  if (!is_made) return call.take_back(begin);
  call.put(record::RmaWinCreate{.window = window});
  put_collective_end(call, is_allocated ? CollectiveOp::kCreateHandleAndAllocate : CollectiveOp::kCreateHandle,
                     kProcesses, window);
}

void record_fence(MpiCall& call, const RecordPlace& begin, MPI_Win window, int outcome) {
  if (outcome != MPI_SUCCESS) return call.take_back(begin);
  with_window(window, [&](WindowState& state) {
    complete_accesses(call, state, kAllTargets);
    put_collective_end(call, CollectiveOp::kBarrier, kProcesses | kMemory, state.id);
  });
}

void record_post(MpiCall& call, MPI_Group group, MPI_Win window) {
  if (group == MPI_GROUP_NULL) return;
  const GroupId id = group_id(group);
  with_window(window, [&](WindowState& state) {
    state.exposure_group = id;
    call.put(record::RmaGroupSync{.sync_level = kProcesses, .window = state.id, .group = id});
  });
}

void record_start(MpiCall& call, MPI_Group group, MPI_Win window) {
  if (group == MPI_GROUP_NULL) return;
  const GroupId id = group_id(group);
  with_window(window, [&](WindowState& state) {
    state.access_group = id;
    call.put(record::RmaGroupSync{.sync_level = kProcesses, .window = state.id, .group = id});
  });
}

void record_complete(MpiCall& call, MPI_Win window) {
  with_window(window, [&](WindowState& state) {
    complete_accesses(call, state, kAllTargets);
    call.put(record::RmaGroupSync{.sync_level = kMemory, .window = state.id, .group = state.access_group});
  });
}

void record_exposure_end(MpiCall& call, MPI_Win window) {
  with_window(window, [&](const WindowState& state) {
    call.put(record::RmaGroupSync{.sync_level = kMemory, .window = state.id, .group = state.exposure_group});
  });
}

RecordPlace record_lock(MpiCall& call, CommRank target, int lock_type, MPI_Win window) {
  RecordPlace place;
  if (target == kNobody) return place;
  with_window(window, [&](const WindowState& state) {
    place = call.put_tentatively(
        record::RmaRequestLock{.window = state.id,
                               .remote = target,
                               .lock = kLockNumber,
                               .lock_type = lock_type == MPI_LOCK_EXCLUSIVE ? kExclusiveLock : kSharedLock});
  });
  return place;
}

void record_unlock(MpiCall& call, CommRank target, MPI_Win window) {
  if (target == kNobody) return;
  with_window(window, [&](WindowState& state) {
    complete_accesses(call, state, target);
    call.put(record::RmaReleaseLock{.window = state.id, .remote = target, .lock = kLockNumber});
  });
}

template <class Completion>
void record_flush(MpiCall& call, CommRank target, MPI_Win window) {
  with_window(window, [&](WindowState& state) { complete_accesses<Completion>(call, state, target); });
}
template void record_flush<record::RmaOpCompleteRemote>(MpiCall& call, CommRank target, MPI_Win window);
template void record_flush<record::RmaOpCompleteBlocking>(MpiCall& call, CommRank target, MPI_Win window);

void record_window_sync(MpiCall& call, MPI_Win window) {
  with_window(window, [&](const WindowState& state) {
    call.put(record::RmaSync{.window = state.id, .remote = kAllTargets, .sync_type = kMemorySync});
  });
}

void record_put(MpiCall& call, int target, MPI_Win window, Bytes bytes) {
  record_transfer<record::RmaPut>(call, target, window, nullptr, bytes);
}

void record_get(MpiCall& call, int target, MPI_Win window, Bytes bytes) {
  record_transfer<record::RmaGet>(call, target, window, nullptr, bytes);
}

void record_atomic(MpiCall& call, int target, MPI_Win window, AtomicType type, Bytes sent, Bytes received) {
  record_any_atomic(call, target, window, nullptr, type, sent, received);
}

void record_rput(MpiCall& call, int target, MPI_Win window, Bytes bytes, const MPI_Request* request) {
  record_transfer<record::RmaPut>(call, target, window, request, bytes);
}

void record_rget(MpiCall& call, int target, MPI_Win window, Bytes bytes, const MPI_Request* request) {
  record_transfer<record::RmaGet>(call, target, window, request, bytes);
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
  call.put(record::RmaWinDestroy{.window = state->id});
  delete state;
  return outcome;
}

TARRY_MPI_ENTRY int MPI_Win_test(MPI_Win window, int* flag) { return run_test(WindowTest{{{flag}}, window}); }

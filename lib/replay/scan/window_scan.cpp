// window_scan.cpp -- the part of the pass over the events that keeps records of one-sided communication.
#include "replay/scan/window_scan.hpp"

#include <algorithm>
#include <utility>

namespace tarry {
namespace {

using Kind = WindowRecord::Kind;

constexpr std::uint64_t kSharedLock = 1;  // lock_type of a lock record
constexpr CommRank kAllTargets{};         // remote of MPI_Win_lock_all's records

bool is_create(CollectiveOp operation) {
  return operation == CollectiveOp::kCreateHandle || operation == CollectiveOp::kCreateHandleAndAllocate;
}
bool is_free(CollectiveOp operation) {
  return operation == CollectiveOp::kDestroyHandle || operation == CollectiveOp::kDestroyHandleAndDeallocate;
}

}  // namespace

bool WindowScan::is_defined(WindowId window) const {
  return window.value < definitions_.windows.size() && communicators_.is_valid(comm_of(window));
}

CommId WindowScan::comm_of(WindowId window) const { return definitions_.windows[window.value].comm; }

// The process with a rank in the window's communicator, if there is one.
WorldRank WindowScan::target(WindowId window, CommRank remote) const {
  return communicators_.world_rank(comm_of(window), remote, rank_.rank);
}

bool WindowScan::record(const Event& event, CallIndex call, const RegionClass& function) {
  const Visit visit{event.time, call, function, std::exchange(place_, WindowRecord::kNoPlace)};
  switch (event.kind) {
    case EventKind::kRmaCollectiveBegin: begin_ = event.time; return true;
    case EventKind::kRmaCollectiveEnd: return take(visit, record_of<record::RmaCollectiveEnd>(event));
    case EventKind::kRmaGroupSync: return take(visit, record_of<record::RmaGroupSync>(event));
    case EventKind::kRmaRequestLock: return take(visit, record_of<record::RmaRequestLock>(event));
    case EventKind::kRmaAcquireLock: return take(visit, record_of<record::RmaAcquireLock>(event));
    case EventKind::kRmaReleaseLock: return take(visit, record_of<record::RmaReleaseLock>(event));
    case EventKind::kRmaOpCompleteRemote: return take(visit, record_of<record::RmaOpCompleteRemote>(event));
    case EventKind::kRmaWaitChange: return take(visit, record_of<record::RmaWaitChange>(event));
    case EventKind::kRmaPut: return take(visit, record_of<record::RmaPut>(event));
    case EventKind::kRmaGet: return take(visit, record_of<record::RmaGet>(event));
    default: return take(visit, record_of<record::RmaAtomic>(event));
  }
}

// With members that are not recorded: nothing to analyse, and nothing wrong.
template <class Record>
bool WindowScan::take(const Visit& visit, const Record& record) {
  if (is_defined(record.window) && communicators_.leads_outside(comm_of(record.window))) return true;
  return keep(visit, record);
}

bool WindowScan::add(const Visit& visit, WindowRecord record, WindowId window) {
  record.window = window;
  record.place = visit.place;
  record.is_shmem = visit.function.is_shmem;
  record.call = visit.call;
  record.end = visit.time;
  if (record.kind > Kind::kFence) record.begin = visit.time;
  rank_.window_records.push_back(record);
  return true;
}

bool WindowScan::keep(const Visit& visit, const record::RmaCollectiveEnd& end) {
  if (!is_defined(end.window)) return false;
  WindowRecord record{.begin = std::max(begin_, rank_.calls[visit.call].enter)};
  if (is_create(end.operation)) record.kind = Kind::kCreate;
  else if (is_free(end.operation)) record.kind = Kind::kFree;
  else if (end.operation == CollectiveOp::kBarrier) record.kind = Kind::kFence;
  else return true;
  return add(visit, record, end.window);
}

bool WindowScan::keep(const Visit& visit, const record::RmaGroupSync& sync) {
  if (!is_defined(sync.window) || sync.group.value >= definitions_.groups.size()) return false;
  WindowRecord record{.group = sync.group};
  switch (visit.function.call) {
    case CallClass::kWindowPost: record.kind = Kind::kPost; break;
    case CallClass::kWindowStart: record.kind = Kind::kStart; break;
    case CallClass::kWindowComplete: record.kind = Kind::kComplete; break;
    case CallClass::kWindowTest: record.is_test = true; [[fallthrough]];
    case CallClass::kWindowWait: record.kind = Kind::kWait; break;
    default: return true;
  }
  return add(visit, record, sync.window);
}

bool WindowScan::keep(const Visit& visit, const record::RmaPut& put) {
  return keep_access(visit, put, {.sent = put.bytes, .kind = Kind::kPut});
}
bool WindowScan::keep(const Visit& visit, const record::RmaGet& get) {
  return keep_access(visit, get, {.received = get.bytes, .kind = Kind::kGet});
}
bool WindowScan::keep(const Visit& visit, const record::RmaAtomic& atomic) {
  return keep_access(visit, atomic, {.sent = atomic.sent, .received = atomic.received, .kind = Kind::kAtomic});
}

template <class Access>
bool WindowScan::keep_access(const Visit& visit, const Access& access, WindowRecord record) {
  if (!is_defined(access.window)) return false;
  record.target = target(access.window, access.remote);
  if (!record.target.is_valid()) return false;
  targets_.insert({access.window.value, access.matching}) = record.target;
  record.is_passive = locked_.find(lock_key(access.window, record.target)) ||
                      locked_.find(lock_key(access.window, WindowRecord::kEverybody));
  return add(visit, record, access.window);
}

// MPI has one lock for each process and window; locks of OpenSHMEM are places in memory.
WindowScan::Visit WindowScan::at_lock(Visit visit, std::uint64_t lock) {
  visit.place = visit.function.is_shmem ? lock : WindowRecord::kNoPlace;
  return visit;
}

bool WindowScan::keep(const Visit& visit, const record::RmaRequestLock& lock) { return keep_lock(visit, lock); }
bool WindowScan::keep(const Visit& visit, const record::RmaAcquireLock& lock) { return keep_lock(visit, lock); }

// Of a request and the acquisition that follows it, only the first is kept.
template <class Lock>
bool WindowScan::keep_lock(const Visit& visit, const Lock& lock) {
  if (!is_defined(lock.window)) return false;
  WindowRecord record{.kind = Kind::kLock, .is_exclusive = lock.lock_type != kSharedLock};
  if (lock.remote != kAllTargets && !(record.target = target(lock.window, lock.remote)).is_valid()) return false;
  const Visit there = at_lock(visit, lock.lock);
  bool& is_held = locked_.insert(lock_key(lock.window, record.target, there.place), false);
  if (is_held) return true;
  is_held = true;
  return add(there, record, lock.window);
}

bool WindowScan::keep(const Visit& visit, const record::RmaReleaseLock& lock) {
  if (!is_defined(lock.window)) return false;
  WindowRecord record{.kind = Kind::kUnlock};
  if (lock.remote != kAllTargets && !(record.target = target(lock.window, lock.remote)).is_valid()) return false;
  const Visit there = at_lock(visit, lock.lock);
  locked_.erase(lock_key(lock.window, record.target, there.place));
  return add(there, record, lock.window);
}

// Records for each target that its accesses are complete. Calls that name their target otherwise leave no record.
bool WindowScan::keep(const Visit& visit, const record::RmaOpCompleteRemote& completion) {
  const MatchingKey key{completion.window.value, completion.matching};
  const WorldRank* target = targets_.find(key);
  if (!target) return true;
  const WindowRecord record{.target = *target,
                            .kind = visit.function.call == CallClass::kShmemQuiet ? Kind::kQuiet : Kind::kFlush};
  targets_.erase(key);
  const bool is_kept = visit.function.call == CallClass::kWindowFlush || visit.function.call == CallClass::kShmemQuiet;
  return !is_kept || add(visit, record, completion.window);
}

// Tests do not wait.
bool WindowScan::keep(const Visit& visit, const record::RmaWaitChange& change) {
  if (!is_defined(change.window)) return false;
  if (!visit.function.is_shmem || visit.function.call == CallClass::kShmemTest) return true;
  return add(visit, {.kind = Kind::kChange}, change.window);
}

void WindowScan::finish() {
  auto& records = rank_.window_records;
  const auto earlier = [](const WindowRecord& a, const WindowRecord& b) { return a.end < b.end; };
  if (!std::is_sorted(records.begin(), records.end(), earlier))
    std::stable_sort(records.begin(), records.end(), earlier);
  for (const WindowRecordIndex i : records.ids()) {
    const MpiCall& call = rank_.calls[records[i].call];
    records[i].index = i;
    records[i].enter = call.enter;
    records[i].leave = call.leave();
    records[i].path = call.path;
    records[i].thread = call.thread;
  }
  merge_visits();
  records.finish();
  rank_.mpi_visits.finish();
}

void WindowScan::merge_visits() {
  Rows<MpiVisit>& visits = rank_.mpi_visits;
  const auto earlier = [](const MpiVisit& a, const MpiVisit& b) { return a.enter < b.enter; };
  std::stable_sort(visits.begin(), visits.end(), earlier);
  std::size_t kept = 0;
  for (const MpiVisit& visit : visits) {
    if (kept > 0 && visit.enter <= visits[kept - 1].leave)
      visits[kept - 1].leave = std::max(visits[kept - 1].leave, visit.leave);
    else visits[kept++] = visit;
  }
  visits.resize(kept);
}

}  // namespace tarry

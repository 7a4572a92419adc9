// scan_windows.cpp -- the part of the pass over the events that keeps records of one-sided communication.
#include "replay/scan_windows.hpp"

#include <algorithm>

#include "replay/thread_scan.hpp"

namespace tarry {
namespace {

using Kind = WindowRecord::Kind;

constexpr std::uint64_t kSharedLock = 1;          // lock_type of a lock record
constexpr std::uint32_t kAllTargets = 0xffffffff;  // remote of MPI_Win_lock_all's records

bool is_create(CollectiveOp operation) {
  return operation == CollectiveOp::kCreateHandle || operation == CollectiveOp::kCreateHandleAndAllocate;
}
bool is_free(CollectiveOp operation) {
  return operation == CollectiveOp::kDestroyHandle || operation == CollectiveOp::kDestroyHandleAndDeallocate;
}

}  // namespace

bool WindowScan::is_defined(std::uint64_t window) const {
  return window < definitions_.windows.size() && communicators_.is_valid(definitions_.windows[window].comm.value);
}

// Who is behind a rank of the window's communicator; none if nobody is.
WorldRank WindowScan::target(std::uint64_t window, std::uint64_t remote) const {
  return communicators_.world_rank(definitions_.windows[window].comm, remote, rank_.rank);
}

// With members that are not recorded: nothing to analyse, and nothing wrong.
bool WindowScan::leads_outside(const Event& event) const {
  const int field = event.kind == EventKind::kRmaCollectiveEnd ? 2 : event.kind == EventKind::kRmaGroupSync ? 1 : 0;
  const std::uint64_t window = event.fields[field];
  return is_defined(window) && communicators_.leads_outside(definitions_.windows[window].comm);
}

bool WindowScan::record(const Event& event, CallIndex call, CallClass call_class) {
  if (event.kind != EventKind::kRmaCollectiveBegin && leads_outside(event)) return true;
  switch (event.kind) {
    case EventKind::kRmaCollectiveBegin: begin_ = event.time; return true;
    case EventKind::kRmaCollectiveEnd: return collective(event, call);
    case EventKind::kRmaGroupSync: return group_sync(event, call, call_class);
    case EventKind::kRmaRequestLock:
    case EventKind::kRmaAcquireLock: return lock(event, call);
    case EventKind::kRmaReleaseLock: return unlock(event, call);
    case EventKind::kRmaOpCompleteRemote: return completion(event, call, call_class);
    default: return access(event, call);
  }
}

bool WindowScan::add(const Event& event, WindowRecord record, std::uint64_t window) {
  record.window = WindowId(window);
  record.end = event.time;
  if (record.kind > Kind::kFence) record.begin = event.time;
  rank_.window_records.push_back(record);
  return true;
}

bool WindowScan::collective(const Event& event, CallIndex call) {
  if (!is_defined(event.fields[2])) return false;
  const auto operation = static_cast<CollectiveOp>(event.fields[0]);
  WindowRecord record{.begin = std::max(begin_, rank_.calls[call].enter), .call = call};
  if (is_create(operation))
    record.kind = Kind::kCreate;
  else if (is_free(operation))
    record.kind = Kind::kFree;
  else if (operation == CollectiveOp::kBarrier)
    record.kind = Kind::kFence;
  else
    return true;
  return add(event, record, event.fields[2]);
}

bool WindowScan::group_sync(const Event& event, CallIndex call, CallClass call_class) {
  if (!is_defined(event.fields[1]) || event.fields[2] >= definitions_.groups.size()) return false;
  WindowRecord record{.group = GroupId(event.fields[2]), .call = call};
  switch (call_class) {
    case CallClass::kWindowPost: record.kind = Kind::kPost; break;
    case CallClass::kWindowStart: record.kind = Kind::kStart; break;
    case CallClass::kWindowComplete: record.kind = Kind::kComplete; break;
    case CallClass::kWindowTest: record.is_test = true; [[fallthrough]];
    case CallClass::kWindowWait: record.kind = Kind::kWait; break;
    default: return true;
  }
  return add(event, record, event.fields[1]);
}

bool WindowScan::access(const Event& event, CallIndex call) {
  const std::uint64_t window = event.fields[0];
  if (!is_defined(window)) return false;
  WindowRecord record{.target = target(window, event.fields[1]), .call = call};
  if (!record.target.is_valid()) return false;
  if (event.kind == EventKind::kRmaPut) {
    record.kind = Kind::kPut;
    record.sent = event.fields[2];
  } else if (event.kind == EventKind::kRmaGet) {
    record.kind = Kind::kGet;
    record.received = event.fields[2];
  } else {
    record.kind = Kind::kAtomic;
    record.sent = event.fields[3];
    record.received = event.fields[4];
  }
  targets_.insert({window, event.fields[event.kind == EventKind::kRmaAtomic ? 5 : 3]}) = record.target;
  record.is_passive = locked_.find(lock_key(window, record.target)) ||
                      locked_.find(lock_key(window, WindowRecord::kEverybody));
  return add(event, record, window);
}

// Of a request and the acquisition that follows it, only the first is kept.
bool WindowScan::lock(const Event& event, CallIndex call) {
  const std::uint64_t window = event.fields[0];
  if (!is_defined(window)) return false;
  WindowRecord record{.call = call, .kind = Kind::kLock, .is_exclusive = event.fields[3] != kSharedLock};
  if (event.fields[1] != kAllTargets && !(record.target = target(window, event.fields[1])).is_valid()) return false;
  bool& is_held = locked_.insert(lock_key(window, record.target), false);
  if (is_held) return true;
  is_held = true;
  return add(event, record, window);
}

bool WindowScan::unlock(const Event& event, CallIndex call) {
  const std::uint64_t window = event.fields[0];
  if (!is_defined(window)) return false;
  WindowRecord record{.call = call, .kind = Kind::kUnlock};
  if (event.fields[1] != kAllTargets && !(record.target = target(window, event.fields[1])).is_valid()) return false;
  locked_.erase(lock_key(window, record.target));
  return add(event, record, window);
}

// Says for each target that its accesses are complete; of calls that name their target otherwise, nothing is kept.
bool WindowScan::completion(const Event& event, CallIndex call, CallClass call_class) {
  const MatchingKey key{event.fields[0], event.fields[1]};
  const WorldRank* target = targets_.find(key);
  if (!target) return true;
  const WindowRecord record{.target = *target, .call = call, .kind = Kind::kFlush};
  targets_.erase(key);
  return call_class != CallClass::kWindowFlush || add(event, record, key.window);
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
  unite_visits();
  records.finish();
  rank_.mpi_visits.finish();
}

void WindowScan::unite_visits() {
  Rows<MpiVisit>& visits = rank_.mpi_visits;
  const auto earlier = [](const MpiVisit& a, const MpiVisit& b) { return a.enter < b.enter; };
  std::stable_sort(visits.begin(), visits.end(), earlier);
  std::size_t kept = 0;
  for (const MpiVisit& visit : visits) {
    if (kept > 0 && visit.enter <= visits[kept - 1].leave)
      visits[kept - 1].leave = std::max(visits[kept - 1].leave, visit.leave);
    else
      visits[kept++] = visit;
  }
  visits.resize(kept);
}

void ThreadScan::window_record(const Event& event) {
  const CallClass call_class = process_.regions[stack_.back().region].call;
  if (!process_.windows.record(event, current_call(), call_class))
    fault(Fault::kUndefinedReference, "window, group or rank of one-sided communication");
}

}  // namespace tarry

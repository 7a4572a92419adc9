// thread_points.cpp -- the sync points of one process between its threads.
#include "analysis/sync_points/thread_points.hpp"

#include <algorithm>
#include <limits>

namespace tarry {
namespace {

SyncPoint point_of(const ThreadMoment& moment, SyncKind kind, SyncRecord record) {
  SyncPoint point;
  point.kind = kind;
  point.record = record;
  point.enter = moment.time;
  point.path = moment.path;
  point.position = moment.position;
  return point;
}

}  // namespace

ThreadPoints::ThreadPoints(const LogicalRank& rank, const RankWaits& waits, const Compatibility& compatibility)
    : rank_(rank), waits_(waits), compatibility_(compatibility), points_(rank.calls.budget()) {
  find_first_enters();
  if (compatibility_.thread_locks_synchronise()) divide_lock_waits();
  divide_device_waits();
}

void ThreadPoints::make(ThreadIndex thread, const LockLog* locks, Rows<SyncDraft>& drafts) {
  points_.clear();
  add_forks(thread, drafts);
  add_barriers(thread, drafts);
  add_devices(thread, drafts);
  if (!compatibility_.thread_locks_synchronise()) return;
  if (locks) add_locks(thread, *locks, drafts);
  add_starts(thread, drafts);
}

void ThreadPoints::add(const SyncPoint& point, std::uint32_t calls_before, std::uint32_t event,
                       Rows<SyncDraft>& drafts) {
  const auto number = static_cast<std::uint32_t>(points_.size());
  drafts.push_back(SyncDraft::of_thread(calls_before, point.position, event, number));
  points_.push_back(point);
}

// When the first thread of each team entered the parallel region.
void ThreadPoints::find_first_enters() {
  first_enter_.assign(rank_.forks.size(), std::numeric_limits<Ticks>::max());
  for (const LogicalThread& thread : rank_.threads)
    for (const ParallelEntry& entry : thread.parallels)
      first_enter_[entry.fork] = std::min(first_enter_[entry.fork], entry.enter);
}

// Which waits for locks each thread has, and which of its acquisitions made others wait; both in its order.
void ThreadPoints::divide_lock_waits() {
  lock_waits_ = rows_of<LockWaitIndex>(rank_.threads.size(), rank_.calls.budget());
  held_locks_ = rows_of<LockIndex>(rank_.threads.size(), rank_.calls.budget());
  for (const LockWaitIndex i : waits_.locks.ids()) {
    const LockWait& wait = waits_.locks[i];
    lock_waits_[wait.thread].push_back(i);
    held_locks_[wait.holder].push_back(wait.held);
  }
  for (Rows<LockWaitIndex>& waits : lock_waits_)
    std::sort(waits.begin(), waits.end(), [&](LockWaitIndex a, LockWaitIndex b) {
      return waits_.locks[a].acquisition < waits_.locks[b].acquisition;
    });
  // Several readers may have waited for one writer.
  for (Rows<LockIndex>& held : held_locks_) {
    std::sort(held.begin(), held.end());
    held.resize(static_cast<std::size_t>(std::unique(held.begin(), held.end()) - held.begin()));
  }
}

void ThreadPoints::divide_device_waits() {
  device_waits_ = rows_of<DeviceWaitIndex>(rank_.threads.size(), rank_.calls.budget());
  for (const DeviceWaitIndex i : waits_.devices.ids()) {
    device_waits_[waits_.devices[i].queue].push_back(i);
    device_waits_[rank_.device_calls[waits_.devices[i].call].thread].push_back(i);
  }
}

void ThreadPoints::add_forks(ThreadIndex thread, Rows<SyncDraft>& drafts) {
  for (const ParallelEntry& entry : rank_.threads[thread].parallels) {
    const Fork& fork = rank_.forks[entry.fork];
    SyncPoint point;
    point.kind = SyncKind::kFork;
    point.record = entry.fork;
    // What a worker did before has nothing to do with what it does in this team.
    point.with = thread == fork.thread ? Counterpart::join(fork.join_position) : Counterpart::everybody();
    point.completion = entry.enter - first_enter_[entry.fork];
    point.enter = entry.enter;
    point.total = std::max<Ticks>(0, entry.enter - fork.fork_time);
    point.path = entry.path;
    point.position = entry.position;
    add(point, entry.calls_before, entry.event, drafts);
  }
}

void ThreadPoints::add_barriers(ThreadIndex thread, Rows<SyncDraft>& drafts) {
  const auto& barriers = rank_.threads[thread].barriers;
  for (const BarrierIndex i : barriers.ids()) {
    const ThreadBarrier& barrier = barriers[i];
    if (!barrier.fork.is_valid()) continue;
    SyncPoint point;
    point.kind = SyncKind::kThreadBarrier;
    point.record = i;
    point.enter = compatibility_.ready_in(barrier);
    point.wait = waits_.barriers[thread][i].wait;
    point.total = barrier.leave - point.enter;
    point.path = barrier.path;
    point.position = barrier.position;
    add(point, barrier.calls_before, barrier.event, drafts);
  }
}

// One who waits has met the holder when it has the lock, the holder when it lets the lock go.
void ThreadPoints::add_locks(ThreadIndex thread, const LockLog& locks, Rows<SyncDraft>& drafts) {
  const LockWaitIndex* waits = lock_waits_[thread].begin();
  const LockIndex* held = held_locks_[thread].begin();
  locks.for_each([&](LockIndex index, const LockAcquisition& lock, const LockPlace& place) {
    for (; waits != lock_waits_[thread].end() && waits_.locks[*waits].acquisition == index; ++waits) {
      const LockWait& wait = waits_.locks[*waits];
      const SyncKind kind = wait.is_signal ? SyncKind::kThreadSignal : SyncKind::kThreadLock;
      SyncPoint point = point_of(place.enter, kind, *waits);
      point.wait = wait.wait;
      point.total = lock.acquire - lock.enter;
      point.completion = std::max<Ticks>(0, point.total - wait.until);
      point.cause_thread = wait.holder;
      point.with = Counterpart::held_lock(wait.held);
      add(point, place.enter.calls_before, place.enter.event, drafts);
    }
    if (held != held_locks_[thread].end() && *held == index)
      add(point_of(place.release, SyncKind::kThreadLock, *held++), place.release.calls_before, place.release.event,
          drafts);
  });
}

// Each wait has a point on the queue, and one on the thread.
void ThreadPoints::add_devices(ThreadIndex thread, Rows<SyncDraft>& drafts) {
  for (const DeviceWaitIndex i : device_waits_[thread])
    rank_.threads[thread].is_queue ? add_execution(i, drafts) : add_device_call(i, drafts);
}

// The thread waits in the call, or makes the queue wait until it comes to it.
void ThreadPoints::add_device_call(DeviceWaitIndex number, Rows<SyncDraft>& drafts) {
  const DeviceWait& wait = waits_.devices[number];
  const DeviceCall& call = rank_.device_calls[wait.call];
  SyncPoint point = point_of(call.enter, wait.is_of_queue ? SyncKind::kLateLaunch : SyncKind::kLateKernel, number);
  if (!wait.is_of_queue) {
    point.wait = wait.wait;
    point.total = call.leave - call.enter.time;
    point.completion = std::max<Ticks>(0, point.total - wait.wait);
    point.cause_thread = wait.queue;
  }
  add(point, call.enter.calls_before, call.enter.event, drafts);
}

// The queue waits before the execution, or makes the thread wait until its end. Where one execution ends and the next
// one begins at once, the end comes first.
void ThreadPoints::add_execution(DeviceWaitIndex number, Rows<SyncDraft>& drafts) {
  const DeviceWait& wait = waits_.devices[number];
  const Execution& execution = rank_.threads[wait.queue].executions[wait.execution];
  const ThreadMoment moment{.time = wait.is_of_queue ? wait.idle_since : execution.end,
                            .path = execution.path,
                            .position = wait.is_of_queue ? execution.before : execution.after,
                            .event = 2 * wait.execution.value + 1 - wait.is_of_queue};
  SyncPoint point = point_of(moment, wait.is_of_queue ? SyncKind::kLateLaunch : SyncKind::kLateKernel, number);
  if (wait.is_of_queue) {
    point.wait = wait.wait;
    point.total = execution.begin - wait.idle_since;
    point.completion = point.total - wait.wait;
    point.cause_thread = rank_.device_calls[wait.call].thread;
  }
  add(point, 0, moment.event, drafts);
}

void ThreadPoints::add_starts(ThreadIndex thread, Rows<SyncDraft>& drafts) {
  const auto& starts = rank_.threads[thread].starts;
  for (const ThreadStartIndex i : starts.ids())
    add(point_of(starts[i].moment, SyncKind::kThreadStart, i), starts[i].moment.calls_before, starts[i].moment.event,
        drafts);
}

}  // namespace tarry

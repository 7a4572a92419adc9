// thread_points.hpp -- the sync points of one process between its threads: forks, barriers, locks, thread starts,
// work of accelerators.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/sync_points/sync_draft.hpp"
#include "analysis/sync_points/sync_points.hpp"

namespace tarry {

class ThreadPoints {
 public:
  ThreadPoints(const LogicalRank& rank, const RankWaits& waits, const Compatibility& compatibility);

  /// Makes the sync points of a thread and forgets those of the thread before; adds a draft for each. `locks`: its
  /// acquisitions; nullptr if there are none.
  void make(ThreadIndex thread, const LockLog* locks, Rows<SyncDraft>& drafts);

  /// The sync point of a draft.
  const SyncPoint& of(const SyncDraft& draft) const { return points_[draft.detail]; }

 private:
  void find_first_enters();
  void divide_lock_waits();
  void add(const SyncPoint& point, std::uint32_t calls_before, std::uint32_t event, Rows<SyncDraft>& drafts);
  void add_forks(ThreadIndex thread, Rows<SyncDraft>& drafts);
  void add_barriers(ThreadIndex thread, Rows<SyncDraft>& drafts);
  void add_locks(ThreadIndex thread, const LockLog& locks, Rows<SyncDraft>& drafts);
  void divide_device_waits();
  void add_devices(ThreadIndex thread, Rows<SyncDraft>& drafts);
  void add_device_call(DeviceWaitIndex wait, Rows<SyncDraft>& drafts);
  void add_execution(DeviceWaitIndex wait, Rows<SyncDraft>& drafts);
  void add_starts(ThreadIndex thread, Rows<SyncDraft>& drafts);

  const LogicalRank& rank_;
  const RankWaits& waits_;
  const Compatibility& compatibility_;
  Rows<SyncPoint> points_;  // of the thread
  Indexed<ForkIndex, std::vector<Ticks>> first_enter_;
  Indexed<ThreadIndex, std::vector<Rows<LockWaitIndex>>> lock_waits_;
  Indexed<ThreadIndex, std::vector<Rows<LockIndex>>> held_locks_;          // that others waited for
  Indexed<ThreadIndex, std::vector<Rows<DeviceWaitIndex>>> device_waits_;  // of each thread and queue
};

}  // namespace tarry

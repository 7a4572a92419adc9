// lock_scan.hpp -- the part of the pass over the events that keeps acquisitions of locks by one thread.
#pragma once

#include <cstdint>
#include <optional>

#include "base/arrays/flat_map.hpp"
#include "replay/scan/lock_log.hpp"
#include "replay/scan/scanned_thread.hpp"
#include "trace/record.hpp"

namespace tarry {

/// The end of a thread counts as a lock, too (kEndOfThread). Leaves: LogicalThread::locks.
class [[gnu::visibility("hidden")]] LockScan {
 public:
  explicit LockScan(ScannedThread & thread) : thread_(thread), log_(thread.logical.locks) {}

  void acquire(Ticks time, const record::ThreadAcquireLock& acquired);
  void release(Ticks time, const record::ThreadReleaseLock& released);

  /// The thread ends.
  void end_thread(Ticks time, const record::ThreadEnd& end);
  /// Another one has ended, for which the innermost region waits.
  void join_thread(Ticks time, const record::ThreadWait& join);

  /// No more events will come.
  void finish() { log_.finish(); }

 private:
  bool may_share(RegionId region) const;
  LogPosition place_of_enter();
  std::optional<ThreadMoment> moment_of_release(Ticks time);
  bool is_in_timed_wait() const;
  void add_end_of_thread(LockAcquisition lock);

  ScannedThread& thread_;
  LockLogWriter log_;
  FlatMap<std::uint64_t, LockIndex> held_;  // by lock: its latest acquisition
};

}  // namespace tarry

// barrier_scan.hpp -- the part of the pass over the events that keeps visits of OpenMP barriers by one thread.
#pragma once

#include <cstdint>

#include "replay/scan/scanned_thread.hpp"

namespace tarry {

/// Leaves: LogicalThread::barriers.
class [[gnu::visibility("hidden")]] BarrierScan {
 public:
  explicit BarrierScan(ScannedThread & thread) : thread_(thread) {}

  /// A barrier has just been entered. `team`: its number in the events.
  void enter(OpenVisit & visit, ForkIndex fork, std::uint64_t team, bool is_explicit);

  /// It is about to be left: later time belongs to the next interval.
  void end_interval(BarrierIndex barrier) {
    thread_.logical.barriers[barrier].position = thread_.logical.log.mark();
    if (thread_.logical.barrier_seconds) thread_.logical.barrier_seconds->end_interval(barrier);
  }

  /// It has been left.
  void leave(BarrierIndex barrier, Ticks time) {
    thread_.logical.barriers[barrier].leave = time;
    thread_.logical.barriers[barrier].event = thread_.ordinal();
  }

  /// A visit inside it has ended, as of a task.
  void work(BarrierIndex barrier, Ticks begin, Ticks end) { thread_.logical.barriers[barrier].worked(begin, end); }

 private:
  ScannedThread& thread_;
};

}  // namespace tarry

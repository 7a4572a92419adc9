// thread_life_scan.hpp -- the part of the pass over the events that keeps where one thread creates, begins and ends.
#pragma once

#include "replay/scan/scanned_thread.hpp"
#include "trace/record.hpp"

namespace tarry {

/// Creations and ends of threads, and signals of conditions, for sync points and the simulation. Leaves, where they are
/// kept: LogicalThread::starts and ends.
class [[gnu::visibility("hidden")]] ThreadLifeScan {
 public:
  explicit ThreadLifeScan(ScannedThread & thread) : thread_(thread) {}

  /// pthread_create.
  void create(Ticks time, const record::ThreadCreate& create);
  /// The begin of what it created.
  void begin(Ticks time, const record::ThreadBegin& begin);

  /// Time until then has been credited.
  void end(Ticks time, const record::ThreadEnd& end);
  /// The record comes when the other thread has ended, in the region that waits.
  void join(Ticks time, const record::ThreadWait& join);

  /// The innermost region signals a condition. It has been entered and has got no time yet.
  void signal();

 private:
  void add_start(Ticks time, ThreadStart start);
  ThreadEnds& ends();

  ScannedThread& thread_;
};

}  // namespace tarry

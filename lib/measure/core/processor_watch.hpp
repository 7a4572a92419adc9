// processor_watch.hpp -- what the threads of this process use of the processors, from the start of the recording on.
//
// A thread costs one reading of a file of the kernel, where its recording ends; events cost nothing. Of many threads
// that live for a short time only some are asked.
//
// Calls: may block.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "defs/processor_use.hpp"

namespace tarry::measure {

/// How long a thread had waited for a processor when its recording began.
struct ThreadDelay {
  pid_t thread = 0;
  std::int64_t nanoseconds = -1;  // unknown
  std::int64_t begun = 0;         // nanoseconds of the clock of the machine
};

/// How many nanoseconds a thread of this process has been ready to run without a processor. -1 if nobody knows.
/// Calls: handler-safe.
std::int64_t delay_of(pid_t thread);

/// Whether a thread of this process runs or is ready to. False if nobody knows.
/// Calls: handler-safe.
bool wants_processor(pid_t thread);

/// Calls must not overlap.
class ProcessorWatch {
 public:
  void begin();

  /// Of the calling thread. Only the first one is asked how long it had waited before: others begin with their first
  /// event, as a rule.
  ThreadDelay begin_thread(bool is_first);

  /// From any thread; of one that is still there. Counts it once.
  void end_thread(ThreadDelay& begun);

  /// So far.
  ProcessorUse use() const;

 private:
  static constexpr std::size_t kMostProcessors = 8192;  // that the kernel has
  static constexpr std::size_t kWords = kMostProcessors / 64;

  ProcessorUse at_start_;
  std::uint64_t allowed_[kWords] = {};
  std::int64_t delay_ = 0;  // nanoseconds, of threads that have ended
  std::uint64_t short_threads_ = 0, short_asked_ = 0;
  std::int64_t short_delay_ = 0;  // of those that were asked
  std::int64_t time_ = 0;         // of all that have ended, from the begins of their recordings on
  std::int64_t worst_delay_ = -1, worst_time_ = 0;
  bool has_delay_ = false;
};

}  // namespace tarry::measure

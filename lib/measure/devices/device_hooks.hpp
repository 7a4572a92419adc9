// device_hooks.hpp -- what a library in front of an accelerator's tells the recorder, and how it finds it.
//
// Calls: may block.
#pragma once

#include <atomic>
#include <cstdint>
#include <ctime>

#include "base/units.hpp"
#include "defs/definitions.hpp"

namespace tarry::measure {

/// A function of the library, and its region once that is defined.
struct DeviceFunction {
  const char* name;
  Paradigm paradigm;
  std::atomic<RegionId> region = RegionId();
};

/// A call that is being recorded.
struct DeviceCall {
  void* thread = nullptr;  // its recording; nullptr: the call is not recorded
};

/// The recording of a queue.
struct DeviceQueue;

/// What a call is for: a queue, and a piece of work that it starts. Either may be absent.
struct CalledFor {
  const DeviceQueue* queue = nullptr;
  std::uint64_t work = 0;
};

/// A piece of work that has ended. Times are in nanoseconds; `queued`, `begin` and `end` are by the clock of its queue.
/// The others are by CLOCK_MONOTONIC: of the call that started it, during which it was queued, and when the host was
/// told of its end.
struct DoneWork {
  enum class Kind : std::uint8_t { kKernel, kCopyToDevice, kCopyToHost, kCopyWithin };

  /// Of `needs`, the number of the latest earlier work of its queue that it needs; 0: it needs none.
  static constexpr std::uint64_t kUnknownNeeds = ~std::uint64_t{0};

  Kind kind = Kind::kKernel;
  const char* kernel = nullptr;  // its name, if it has no region yet
  RegionId region = {};          // of a kernel
  std::uint64_t bytes = 0;       // of a copy
  std::uint64_t work = 0;
  std::uint64_t needs = kUnknownNeeds;
  std::int64_t queued = 0, begin = 0, end = 0;
  std::int64_t called = 0, returned = 0, told = 0;  // told 0: not known
};

/// The time by CLOCK_MONOTONIC, in nanoseconds.
inline std::int64_t host_ns() {
  timespec time;
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

/// `caller` is what stack_of_caller_here() is in the function that stands in front of the real one.
struct DeviceHooks {
  DeviceCall (*begin)(DeviceFunction& function, const void* caller);
  void (*end)(DeviceCall call, const void* caller, CalledFor what);

  /// Begin and end of a call that the library itself tells, by a callback: nothing stands in front of it. `callback` is
  /// what stack_of_caller_here() is in the callback. The result is for end_told(), in the same thread; nullptr: the
  /// call is not recorded.
  const void* (*begin_told)(DeviceFunction& function, const void* callback);
  void (*end_told)(const void* begun, CalledFor what);

  /// Whether what queues execute is recorded: in a trace.
  bool (*records_queues)();

  /// Whether it is, or is to be later: the recording of a program of MPI starts in MPI_Init.
  bool (*may_record_queues)();

  /// nullptr: it is not recorded. To be called once the recording has started.
  DeviceQueue* (*open_queue)(const char* name, const char* device, Paradigm paradigm);

  /// A number for a new piece of work of this process.
  std::uint64_t (*new_work)();

  /// A piece of work is under way. It has ended, in whatever thread; nullptr: nobody knows when.
  void (*work_started)(DeviceQueue* queue);
  void (*work_done)(DeviceQueue* queue, const DoneWork* work);

  /// So many pieces of work have ended of which nothing is known.
  void (*work_lost)(std::uint64_t count);

  /// Runs a job while no other job runs. Of the above it calls open_queue() and work_started() at most.
  void (*locked)(void (*job)(void* closure), void* closure);

  /// To be called when the recording is about to end: tells of work that has ended, and comes back. One for a process.
  void (*flush_at_end)(void (*flush)());

  /// Prints a line for the user.
  void (*say)(const char* text);
};

}  // namespace tarry::measure

/// The recorder's; not there without it. nullptr: nothing is to be recorded.
extern "C" __attribute__((visibility("default"), weak)) const tarry::measure::DeviceHooks* tarry_device_hooks();

// device_queue.hpp -- the recording of a queue: kernels and copies, in a location of its own.
//
// Calls: may block.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "measure/core/adapter.hpp"
#include "measure/core/event_buffer.hpp"
#include "measure/devices/device_clock.hpp"
#include "measure/devices/device_hooks.hpp"

namespace tarry::measure {

/// A kernel or a copy that has ended, and is not among the events yet. In nanoseconds of CLOCK_MONOTONIC.
struct RecordedWork {
  RegionId region;
  std::uint64_t bytes = 0, work = 0, needs = DoneWork::kUnknownNeeds;
  std::int64_t begin = 0, end = 0;
};

/// Its memory lives until the process ends.
struct DeviceQueue {
  EventBuffer events;
  std::uint32_t number = 0;  // Location::thread
  Paradigm paradigm = Paradigm::kOther;
  std::atomic<std::uint32_t> under_way = 0;  // pieces of work
  bool is_closed = false;
  ClockOffset clock;
  std::vector<RecordedWork> done;  // in the order in which it was told
  DeviceQueue* next = nullptr;     // in the list of all
};

/// A queue that is recorded from here on; nullptr: there is no trace, or there are very many queues.
DeviceQueue* open_device_queue(const char* name, const char* device, Paradigm paradigm);

/// As in DeviceHooks.
std::uint64_t new_work_number();
void note_started_work(DeviceQueue* queue);
void record_done_work(DeviceQueue* queue, const DoneWork* work);
void note_lost_work(std::uint64_t count);
void flush_devices_at_end(void (*flush)());

/// Runs a job while no other one runs.
void run_with_devices(void (*job)(void* closure), void* closure);

/// Asks for the latest work when the recording ends, and closes the buffers of all queues.
extern const Adapter kDeviceAdapter;

}  // namespace tarry::measure

// device_queue.hpp -- the recording of a queue: kernels and copies, in a location of its own.
//
// Calls: may block.
#pragma once

#include <cstdint>

#include "measure/core/adapter.hpp"
#include "measure/core/event_buffer.hpp"
#include "measure/devices/device_hooks.hpp"

namespace tarry::measure {

/// Its memory lives until the process ends.
struct DeviceQueue {
  EventBuffer events;
  std::uint32_t number = 0;  // Location::thread
  Paradigm paradigm = Paradigm::kOther;
  bool is_closed = false;
  DeviceQueue* next = nullptr;  // in the list of all
};

/// A queue that is recorded from here on; nullptr: there is no trace.
DeviceQueue* open_device_queue(const char* name, const char* device, Paradigm paradigm);

/// Records work that has ended, for callers that hold the lock of the devices.
void execute_on_queue(DeviceQueue* queue, const DoneWork* work, std::size_t count);

/// Runs a job while no other one runs.
void run_with_devices(void (*job)(void* closure), void* closure);

/// Closes the buffers of all queues when the recording ends.
extern const Adapter kDeviceAdapter;

}  // namespace tarry::measure

// layer.hpp -- what the functions of libtarry-opencl.so share: the real ones behind them, the recorder, and the queues.
//
// OpenCL's loader puts this library between a program and the drivers (OPENCL_LAYERS). The real function is always
// called, and what it returns is the program's. Without the recorder nothing else happens.
//
// Calls: may block.
#pragma once

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl_layer.h>

#include <atomic>
#include <cstdint>

#include "measure/devices/device_hooks.hpp"
#include "measure/opencl-layer/command_order.hpp"

namespace tarry::measure {

/// The functions behind this layer.
extern cl_icd_dispatch g_next __attribute__((visibility("hidden")));

/// The recorder's; nullptr without it.
extern const DeviceHooks* g_hooks __attribute__((visibility("hidden")));

/// Runs a job, which calls nothing of OpenCL, while no other one runs.
template <class Job>
void locked(Job job) {
  g_hooks->locked([](void* closure) { (*static_cast<Job*>(closure))(); }, &job);
}

/// What a program has given to create a queue, where we have asked for more.
struct GivenProperties {
  bool are_kept = false;
  cl_queue_properties list[16] = {};  // with the zero at the end
  std::size_t count = 0;              // 0: there was no list
};

/// A command queue of the program. Once that is released, it serves another one of the device.
struct LayerQueue {
  std::atomic<cl_command_queue> handle = nullptr;  // nullptr: it is released
  cl_device_id device = nullptr;
  char name[256] = "";  // of the device
  std::atomic<bool> is_opened = false;
  DeviceQueue* recording = nullptr;  // valid once it is_opened; nullptr: what the queue executes is not recorded
  std::uint32_t references = 1;      // of the program
  GivenProperties given;
  CommandOrder order;
  LayerQueue* next = nullptr;  // in the list of all
};

/// A queue that was created with profiling. `flags`: how it is to execute.
void add_queue(cl_command_queue handle, cl_device_id device, const GivenProperties& given,
               cl_command_queue_properties flags);
/// nullptr: what it executes is not recorded. Linear in the queues that were in use at the same time.
LayerQueue* find_queue(cl_command_queue handle);
/// The queue of a handle, if what it executes is recorded now; else nullptr. A program of MPI may create queues before
/// its recording begins.
LayerQueue* find_recorded_queue(cl_command_queue handle);
/// The program has one reference more, or less.
void retain_queue(cl_command_queue handle);
void release_queue(cl_command_queue handle);

/// A piece of work on its way: of a command, from its call until it has ended.
struct PendingWork {
  DeviceQueue* queue = nullptr;
  char* kernel = nullptr;  // its name, on the heap
  DoneWork done = {};      // what is known of it so far
};

/// A command was put into a queue. Takes the event, and the name of the kernel.
void watch_work(const PendingWork& work, cl_event event);

/// Puts the functions of queue_calls.cpp and recorded_calls.cpp in front of those behind this layer.
void replace_queue_calls(cl_icd_dispatch& table);
void replace_calls(cl_icd_dispatch& table);

}  // namespace tarry::measure

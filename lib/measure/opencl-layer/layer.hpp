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

/// A piece of work on its way: of a command, from its call until it has ended.
struct PendingWork {
  cl_event event = nullptr;  // ours to release
  DoneWork::Kind kind = DoneWork::Kind::kKernel;
  char* kernel = nullptr;  // ours to free
  std::uint64_t bytes = 0;
  std::uint64_t work = 0;
  std::int64_t called_ns = 0, returned_ns = 0;  // when the host made the call, and left it
  PendingWork* next = nullptr;
};

/// A command queue of the program. Once that is released, it serves another one of the device.
struct LayerQueue {
  std::atomic<cl_command_queue> handle = nullptr;  // nullptr: it is released
  cl_device_id device = nullptr;
  DeviceQueue* recording = nullptr;
  bool is_in_order = true;
  bool is_harvested = false;  // a thread looks what has ended
  std::size_t count = 0;
  PendingWork *first = nullptr, *last = nullptr;
  // By how much the host's clock is ahead of the queue's, in nanoseconds: between the two.
  std::int64_t least_ahead = INT64_MIN, most_ahead = INT64_MAX;
  LayerQueue* next = nullptr;  // in the list of all
};

/// A queue that was created with profiling; `is_in_order`: whether its commands end in the order of their calls.
void add_queue(cl_command_queue handle, cl_device_id device, bool is_in_order);
/// nullptr: what it executes is not recorded.
LayerQueue* find_queue(cl_command_queue handle);
void forget_queue(cl_command_queue handle);

/// A command was put into a queue.
void add_work(LayerQueue& queue, const PendingWork& work);
/// Records what has ended in a queue, or in all of them.
void harvest(LayerQueue& queue);
void harvest_all();

/// A number for a new piece of work.
std::uint64_t next_work_number();

/// CLOCK_MONOTONIC.
std::int64_t host_ns();

/// Puts the functions of creation_calls.cpp and recorded_calls.cpp in front of those behind this layer.
void replace_creation(cl_icd_dispatch& table);
void replace_calls(cl_icd_dispatch& table);

}  // namespace tarry::measure

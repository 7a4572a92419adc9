// activities.hpp -- what streams have executed, as CUPTI's activity records tell.
//
// Calls: may block.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "measure/cuda-layer/cuda_layer.hpp"

namespace tarry::measure {

/// Whether the records of the CUPTI that is loaded are laid out as those that are read here.
bool has_known_records();

/// Has CUPTI record kernels, copies and fills. False if it refuses. Called once.
bool watch_activities();

/// The records of a buffer become work of queues.
void note_activities(std::uint8_t* buffer, std::size_t bytes);

/// How many buffers CUPTI has asked for or given back: it grows while CUPTI is at work.
extern std::atomic<std::uint64_t> g_buffer_steps __attribute__((visibility("hidden")));

}  // namespace tarry::measure

// cuda_layer.hpp -- what the functions of libtarry-cuda.so share: CUPTI, and the recorder.
//
// CUDA's driver loads this library (CUDA_INJECTION64_PATH) when a program uses CUDA for the first time. CUPTI tells of
// calls when they begin and end, and of what streams have executed later. The calls themselves are not replaced.
//
// Calls: may block.
#pragma once

#include "measure/cuda-layer/cupti_library.hpp"
#include "measure/devices/device_hooks.hpp"

namespace tarry::measure {

extern Cupti g_cupti __attribute__((visibility("hidden")));

/// The recorder's; nullptr without it.
extern const DeviceHooks* g_recorder __attribute__((visibility("hidden")));

/// The number by which the recorder knows a piece of work. CUPTI numbers calls from 1 on. Other numbers of the recorder
/// are small, too, so these have a bit of their own.
constexpr std::uint64_t work_number(std::uint32_t correlation) { return std::uint64_t{1} << 40 | correlation; }

}  // namespace tarry::measure

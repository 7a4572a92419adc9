// accelerator_calls.hpp -- what functions of CUDA, HIP, OpenCL and OpenACC are called for, by their names.
//
// Source: docs/METRICS.md, "Accelerators".
#pragma once

#include <cstdint>
#include <string_view>

namespace tarry {

/// What a call of an accelerator's library does.
enum class AcceleratorCall : std::uint8_t {
  kNone,             // no such call
  kManagement,       // of devices, memory, queues and programs; and all others
  kLaunch,           // starts a kernel
  kTransfer,         // starts a copy
  kSynchronization,  // waits for work
};

/// From the name of a function of such a library: kManagement if the name tells no more.
AcceleratorCall accelerator_call(std::string_view name);

}  // namespace tarry

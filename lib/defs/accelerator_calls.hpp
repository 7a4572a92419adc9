// accelerator_calls.hpp -- what calls of CUDA, HIP, OpenCL, OpenACC and OpenMP's target constructs are for, by their
// names.
//
// Source: docs/METRICS.md, "Accelerators".
#pragma once

#include <cstdint>
#include <string_view>

#include "defs/definitions.hpp"

namespace tarry {

/// What a call of an accelerator's library does.
enum class AcceleratorCall : std::uint8_t {
  kNone,             // no such call
  kManagement,       // of devices, memory, queues and programs; and all others
  kLaunch,           // starts a kernel
  kTransfer,         // starts a copy
  kSynchronization,  // waits for work
};

/// What a region is called for. kNone: no accelerator; kManagement: its name tells no more.
AcceleratorCall accelerator_call(Paradigm paradigm, std::string_view name);

}  // namespace tarry

// unified_memory.hpp -- copies that CUDA's driver makes by itself, of memory that host and devices share.
//
// Calls: may block.
#pragma once

#include <optional>

#include "measure/cuda-layer/cuda_layer.hpp"
#include "measure/cuda-layer/streams.hpp"

namespace tarry::measure {

/// A copy in the queue of its device for such copies.
struct Migration {
  StreamId queue;
  DoneWork work;  // without times
};

/// These copies are to be recorded.
void want_unified_memory();

/// Has CUPTI record them if they are wanted, unless the device, the driver or a service between them does not support
/// that. CUPTI answers only when CUDA is initialised: so this is called behind each call, and does nothing once it is
/// answered.
void watch_unified_memory();

/// Nothing: the record is of another counter, such as page faults.
std::optional<Migration> migration_of(const CUpti_ActivityUnifiedMemoryCounter2& record);

}  // namespace tarry::measure

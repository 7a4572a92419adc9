// memory_objects.hpp -- buffers, images and pipes of the program, and which work of each queue used them last.
//
// Calls: may block.
#pragma once

#include "measure/opencl-layer/object_table.hpp"
#include "measure/opencl-layer/layer.hpp"

namespace tarry::measure {

/// The latest work of a queue that used a memory object, by its number; 0: none.
struct LatestUse {
  std::atomic<const LayerQueue*> queue = nullptr;
  std::atomic<std::uint64_t> wrote = 0, read = 0;
};

/// A buffer, image or pipe.
struct MemoryObject : ObjectRecord<cl_mem, MemoryObject> {
  MemoryObject* whole = nullptr;  // that this is a part of, or itself
  bool is_read_only = false;      // to kernels
  LatestUse uses[8];              // of the whole, by the queues that came first
};

/// nullptr: unknown, as those are that extensions make.
MemoryObject* find_memory(cl_mem handle);

/// Puts functions that create, retain and release memory objects in front of those of the driver.
void replace_memory_calls(cl_icd_dispatch& table);

}  // namespace tarry::measure

// own_memory.hpp -- memory that the recorder has from the kernel, past the program's allocator.
//
// Calls: handler-safe.
#pragma once

#include <cstddef>

namespace tarry::measure {

/// Memory at a multiple of `alignment`, a power of two; nullptr if the kernel has none left. No thread ever waits for
/// another one. So a signal handler may call this, whatever it has interrupted, and so may a child process.
void* take_own_memory(std::size_t bytes, std::size_t alignment = alignof(std::max_align_t));

/// Gives it back, for later callers of any thread.
void give_own_memory_back(void* memory);

}  // namespace tarry::measure

// own_stack.hpp -- where the stack of the calling thread lies.
//
// Calls: handler-safe.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tarry::measure {

struct OwnStack {
  std::uintptr_t begin = 0;  // the lowest address
  std::size_t size = 0;      // bytes; 0 if it is not known
};

/// From the C library, which allocates memory. A call that a signal handler may make may interrupt an allocator. There
/// the kernel's list of mappings tells it instead.
OwnStack find_own_stack();

}  // namespace tarry::measure

// sanitizer_hooks.hpp -- what the compilers' sanitizers want to know; nullptr where the program is built without one.
//
// Calls: handler-safe.
#pragma once

#include <cstddef>

/// A search for leaks looks for pointers here, too.
extern "C" [[gnu::weak]] void __lsan_register_root_region(const void* begin, std::size_t size);
extern "C" [[gnu::weak]] void __lsan_unregister_root_region(const void* begin, std::size_t size);

/// What a thread does before it releases an address happens before what another thread does after it acquires it.
/// ThreadSanitizer sees what the recorder copies, but not its atomics.
extern "C" [[gnu::weak]] void __tsan_acquire(void* address);
extern "C" [[gnu::weak]] void __tsan_release(void* address);

namespace tarry::measure {

/// The same, where there is ThreadSanitizer.
inline void tell_acquired(void* address) {
  if (__tsan_acquire) __tsan_acquire(address);
}
inline void tell_released(void* address) {
  if (__tsan_release) __tsan_release(address);
}

}  // namespace tarry::measure

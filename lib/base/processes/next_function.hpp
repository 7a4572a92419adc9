// next_function.hpp -- the function behind one of ours, for libraries whose functions come before those of others.
#pragma once

#include <dlfcn.h>

namespace tarry {

/// The next definition of `name` behind the calling library; nullptr if there is none. The dynamic linker has a lock of
/// its own: not for signal handlers, nor for children of vfork().
template <class Function>
Function next_function(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

/// next_function() before the constructor has called it, or where it has found nothing.
[[gnu::noinline, gnu::cold]] inline void* find_late(const char* name) { return ::dlsym(RTLD_NEXT, name); }

/// The same, kept in `known`. What may be called anywhere is found when the library is loaded, by a constructor. `find`
/// looks it up.
template <void* (*find)(const char*) = find_late, class Function>
Function next_function(Function& known, const char* name) {
  Function found = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (!found) [[unlikely]] {
    found = reinterpret_cast<Function>(find(name));
    __atomic_store_n(&known, found, __ATOMIC_RELAXED);
  }
  return found;
}

}  // namespace tarry

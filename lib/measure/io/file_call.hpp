// file_call.hpp -- the begin and the end of a recorded call on a file, for all functions that are recorded.
//
// Calls: handler-safe.
#pragma once

#include "measure/callpath/library_call.hpp"
#include "measure/core/hook.hpp"
#include "measure/core/runtime.hpp"
#include "measure/io/descriptors.hpp"
#include "measure/io/file_hooks.hpp"
#include "measure/processor/processor.hpp"

namespace tarry::measure {

/// Of each function, once it is defined.
extern std::atomic<RegionId> g_file_regions[] __attribute__((visibility("hidden")));

[[gnu::always_inline]] inline RegionId known_region_of(FileFunction function) {
  return g_file_regions[static_cast<std::size_t>(function)].load(std::memory_order_acquire);
}

[[gnu::always_inline]] inline const void* return_address_of(const void* caller) {
  return reinterpret_cast<const void*>(processor::return_address_to(caller));
}

/// Libraries of languages work for the program; MPI, the C library and the recorder for themselves.
bool is_of_program(const void* caller);

inline Thread& thread_of(FileCall call) { return *static_cast<Thread*>(call.thread); }

/// Not recorded, or begun at a time that `time` becomes.
FileCall enter_file_call(FileFunction function, const void* caller, FileNumber file, Ticks& time);

/// The first call from somewhere, of a function or of a file, and all that is unusual.
FileCall begin_on_slow_path(FileFunction function, const void* caller, int descriptor, Ticks& time);

inline void leave_file_call(FileCall call, const void* caller, Ticks time) {
  end_library_call(thread_of(call), caller, time);
}

}  // namespace tarry::measure

// interposition.hpp -- what the functions of libtarry-io.so share: the real ones behind them, and the recorder.
//
// The real function is always called, with the arguments as they are, and its errno is the program's. Without the
// recorder nothing else happens.
#pragma once

#include <dlfcn.h>

#include "measure/io/file_hooks.hpp"

#define TARRY_FILE_ENTRY extern "C" __attribute__((visibility("default")))

// The stack pointer with which the function was called in which this stands: the recorder looks at its caller.
#define TARRY_CALLER (static_cast<void* const*>(__builtin_frame_address(0)) + 2)

// Declares a table of pointers to the real functions. They are found when the library is loaded: later a call may come
// from a signal handler.
#define TARRY_POINTER(name) decltype(&::name) name = nullptr;
#define TARRY_FIND(name) real(g_real.name, #name);
#define TARRY_REAL_FUNCTIONS(REPLACED) \
  struct RealFunctions {               \
    REPLACED(TARRY_POINTER)            \
  };                                   \
  RealFunctions g_real;                \
  [[gnu::constructor]] void find_real_functions() { REPLACED(TARRY_FIND) }

#define TARRY_REAL(name) const auto real_##name = real(g_real.name, #name)

namespace tarry::measure {

/// The recorder's; nullptr without it.
extern const FileHooks* g_hooks;

/// By descriptor: the position in its stream up to which all bytes are recorded, and 1; 0: unknown, or no stream.
extern std::atomic<std::int64_t> g_recorded_to[kMostDescriptors];

/// The function of that name behind ours.
template <class Pointer>
Pointer real(Pointer& cache, const char* name) {
  Pointer found = __atomic_load_n(&cache, __ATOMIC_RELAXED);
  if (!found) [[unlikely]] {
    found = reinterpret_cast<Pointer>(::dlsym(RTLD_NEXT, name));
    __atomic_store_n(&cache, found, __ATOMIC_RELAXED);
  }
  return found;
}

/// Every process begins with three open descriptors.
inline bool may_be_known(int descriptor) {
  if (!g_hooks || descriptor < 0 || descriptor >= kMostDescriptors) return false;
  return descriptor <= 2 || g_hooks->files[descriptor].load(std::memory_order_relaxed) != 0;
}

/// Each makes the real `call`, and records it if the descriptor is of a file that is known. `caller`: TARRY_CALLER.
template <class Call>
auto record_call(FileFunction function, int descriptor, const void* caller, Call call) {
  FileCall record;
  if (!may_be_known(descriptor) || !g_hooks->begin(record, function, caller, descriptor)) return call();
  const auto outcome = call();
  g_hooks->end(record);
  return outcome;
}

template <class Call>
auto record_seek(FileFunction function, int descriptor, std::int64_t offset, int whence, const void* caller,
                 Call call) {
  FileCall record;
  if (!may_be_known(descriptor) || !g_hooks->begin(record, function, caller, descriptor)) return call();
  const auto position = call();
  g_hooks->end_seek(record, offset, whence, position);
  return position;
}

/// The same where bytes are read or written: `bytes` are asked for (0: unknown), and bytes_done() of the call's outcome
/// is how many there were.
template <class Call, class BytesDone>
auto record_transfer(FileFunction function, int descriptor, std::size_t bytes, const void* caller, Call call,
                     BytesDone bytes_done) {
  FileCall record;
  if (!may_be_known(descriptor) || !g_hooks->begin_transfer(record, function, caller, descriptor, bytes)) return call();
  const auto outcome = call();
  g_hooks->end_transfer(record, function, bytes_done(outcome));
  return outcome;
}

template <class Call>
auto record_transfer(FileFunction function, int descriptor, std::size_t bytes, const void* caller, Call call) {
  return record_transfer(function, descriptor, bytes, caller, call, [](ssize_t done) { return done; });
}

/// `prepare` may record more of the call before it is made.
template <class Prepare, class Call>
int record_close(FileFunction function, int descriptor, const void* caller, Prepare prepare, Call call) {
  FileCall record;
  if (!may_be_known(descriptor) || !g_hooks->begin_close(record, function, caller, descriptor)) return call();
  prepare(record);
  const int outcome = call();
  g_hooks->end_close(record);
  return outcome;
}

}  // namespace tarry::measure

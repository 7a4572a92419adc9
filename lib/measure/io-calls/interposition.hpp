// interposition.hpp -- what the functions of libtarry-io.so share: the real ones behind them, and the recorder.
//
// The real function is always called, with the arguments as they are, and its errno is the program's. Without the
// recorder nothing else happens.
//
// Calls: may block.
#pragma once

#include "base/processes/next_function.hpp"
#include "measure/io/file_hooks.hpp"
#include "measure/processor/processor.hpp"

#define TARRY_FILE_ENTRY extern "C" __attribute__((visibility("default")))

// The stack pointer with which the function was called in which this stands: the recorder looks at its caller.
#define TARRY_CALLER tarry::measure::processor::stack_of_caller_here()

// Declares a table of pointers to the real functions. They are found when the library is loaded: later a call may come
// from a signal handler.
#define TARRY_POINTER(name) decltype(&::name) name = nullptr;
#define TARRY_FIND(name) next_function(g_real.name, #name);
#define TARRY_REAL_FUNCTIONS(REPLACED) \
  struct RealFunctions {               \
    REPLACED(TARRY_POINTER)            \
  };                                   \
  RealFunctions g_real;                \
  [[gnu::constructor]] void find_real_functions() { REPLACED(TARRY_FIND) }

#define TARRY_REAL(name) const auto real_##name = tarry::next_function(g_real.name, #name)

namespace tarry::measure {

/// The recorder's; without it `files` is nullptr.
extern FileHooks g_hooks __attribute__((visibility("hidden")));

inline bool is_recorded() { return g_hooks.files != nullptr; }

inline bool is_in_table(int descriptor) {
  return static_cast<unsigned>(descriptor) < static_cast<unsigned>(kMostDescriptors);
}

/// By descriptor: the position in its stream up to which all bytes are recorded, and 1; 0: unknown, or no stream.
extern std::atomic<std::int64_t> g_recorded_to[kMostDescriptors] __attribute__((visibility("hidden")));

inline bool may_be_known(int descriptor) {
  return is_recorded() && is_in_table(descriptor) &&
         g_hooks.files[descriptor].load(std::memory_order_relaxed) != FileNumber::kNone;
}

/// Where a stream's descriptor is used, as C++ does, the stream's position tells nothing.
inline void forget_stream(int descriptor) {
  if (g_recorded_to[descriptor].load(std::memory_order_relaxed)) [[unlikely]]
    g_recorded_to[descriptor].store(0, std::memory_order_relaxed);
}

/// Each makes the real `call`, and records it if the descriptor is of a file that is known. `caller`: TARRY_CALLER.
template <class Call>
auto record_call(FileFunction function, int descriptor, const void* caller, Call call) {
  if (!may_be_known(descriptor)) return call();
  const FileCall record = g_hooks.begin(function, caller, descriptor);
  const auto outcome = call();
  if (record.thread) g_hooks.end(record, caller);
  return outcome;
}

/// The same for a call on a name, or on a directory.
template <class Call>
auto record_named(FileFunction function, const void* caller, Call call) {
  if (!is_recorded()) return call();
  const FileCall record = g_hooks.begin_named(function, caller);
  const auto outcome = call();
  if (record.thread) g_hooks.end(record, caller);
  return outcome;
}

template <class Call>
auto record_seek(FileFunction function, int descriptor, std::int64_t offset, int whence, const void* caller,
                 Call call) {
  if (!may_be_known(descriptor)) return call();
  forget_stream(descriptor);
  const FileCall record = g_hooks.begin(function, caller, descriptor);
  const auto position = call();
  if (record.thread) g_hooks.end_seek(record, caller, offset, whence, position);
  return position;
}

/// The same where `bytes` are read or written (0: unknown). bytes_done() of the call's outcome is how many there were.
template <class Call, class BytesDone>
auto record_transfer(FileFunction function, int descriptor, std::size_t bytes, const void* caller, Call call,
                     BytesDone bytes_done) {
  if (!may_be_known(descriptor)) return call();
  decltype(call()) outcome;
  auto both = [&] {
    outcome = call();
    return static_cast<ssize_t>(bytes_done(outcome));
  };
  const auto real = [](void* closure) { return (*static_cast<decltype(both)*>(closure))(); };
  g_hooks.transfer(function, caller, descriptor, bytes, real, &both);
  return outcome;
}

/// The same for what is done to all of a file.
template <class Call>
auto record_flush(FileFunction function, int descriptor, const void* caller, Call call) {
  return record_transfer(function, descriptor, 0, caller, call, [](int) { return 0; });
}

/// The same by the descriptor, and not by a stream that it may belong to.
template <class Call>
auto record_descriptor_transfer(FileFunction function, int descriptor, std::size_t bytes, const void* caller,
                                Call call) {
  if (!may_be_known(descriptor)) return call();
  forget_stream(descriptor);
  return record_transfer(function, descriptor, bytes, caller, call, [](ssize_t done) { return done; });
}

/// `prepare` may record more of the call before it is made.
template <class Prepare, class Call>
int record_close(FileFunction function, int descriptor, const void* caller, Prepare prepare, Call call) {
  if (!may_be_known(descriptor)) return call();
  const FileCall record = g_hooks.begin_close(function, caller, descriptor);
  if (record.thread) prepare(record);
  const int outcome = call();
  if (record.thread) g_hooks.end_close(record, caller);
  return outcome;
}

}  // namespace tarry::measure

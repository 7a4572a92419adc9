// file_hooks.hpp -- what libtarry-io.so tells the recorder of each file operation, and how it finds it.
//
// All may be called in signal handlers, and leave errno as it is. A call that is begun has to be ended.
//
// Calls: handler-safe.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

#include "base/units.hpp"

namespace tarry::measure {

/// The functions that are recorded.
enum class FileFunction : std::uint8_t {
#define FILE_FUNCTION(enumerator, name, source, role, mode) enumerator,
#include "measure/io/file_functions.def"
#undef FILE_FUNCTION
};

/// Descriptors beyond are not looked at.
inline constexpr int kMostDescriptors = 1 << 16;

/// What is known of the file that a descriptor is open for. More of it is in descriptors.hpp.
enum class FileNumber : std::uint32_t { kNone = 0 };

/// A call that is being recorded. It fits into two registers.
struct FileCall {
  void* thread = nullptr;  // its recording; nullptr: the call is not recorded
  FileNumber file = FileNumber::kNone;
};

/// `caller` is what stack_of_caller_here() is in the function that stands in front of the real one.
struct FileHooks {
  /// By descriptor. Those without a file that is known are not to be given to the functions below. nullptr: nothing is
  /// recorded.
  const std::atomic<FileNumber>* files;

  /// Of open() and the like. Ended by end_open(), whether the call is recorded or not.
  FileCall (*begin_open)(FileFunction function, const void* caller);
  void (*end_open)(FileCall call, const void* caller, const char* path, int flags, int descriptor);

  /// Of a call on a name, or on a directory. What is recorded is ended by end().
  FileCall (*begin_named)(FileFunction function, const void* caller);

  /// Of a call on a file that is known. What is recorded is ended by one of the following.
  FileCall (*begin)(FileFunction function, const void* caller, int descriptor);
  void (*end)(FileCall call, const void* caller);

  /// The following make the real call themselves, in between, and have its arguments: such a call has no time to lose.
  ssize_t (*read)(int descriptor, void* buffer, std::size_t size, decltype(&::read) real);
  ssize_t (*write)(int descriptor, const void* buffer, std::size_t size, decltype(&::write) real);
  ssize_t (*pread)(int descriptor, void* buffer, std::size_t size, off64_t offset, decltype(&::pread64) real);
  ssize_t (*pwrite)(int descriptor, const void* buffer, std::size_t size, off64_t offset, decltype(&::pwrite64) real);

  /// All other reads, writes and flushes, of so many bytes (0: unknown). `real(closure)` returns how many there were,
  /// or a negative number.
  void (*transfer)(FileFunction function, const void* caller, int descriptor, std::size_t bytes,
                   ssize_t (*real)(void* closure), void* closure);

  /// So many bytes more that a call has read or written, or another before it.
  void (*add_transfer)(FileCall call, bool is_write, std::size_t bytes);

  void (*end_seek)(FileCall call, const void* caller, std::int64_t offset, int whence, std::int64_t result);

  /// The descriptor is free for other files from here on. To be called before the real function, and end_close() behind
  /// it.
  FileCall (*begin_close)(FileFunction function, const void* caller, int descriptor);
  void (*end_close)(FileCall call, const void* caller);

  /// So are these, without a record.
  void (*closed)(unsigned first, unsigned last);

  /// `to` is another descriptor of the file that `from` is open for, if any.
  void (*duplicated)(int from, int to);
};

}  // namespace tarry::measure

/// The recorder's; not there without it.
extern "C" __attribute__((visibility("default"), weak)) const tarry::measure::FileHooks* tarry_file_hooks();

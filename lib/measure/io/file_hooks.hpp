// file_hooks.hpp -- what libtarry-io.so tells the recorder of each file operation, and how it finds it.
//
// All may be called in signal handlers, and leave errno as it is. A call that is begun has to be ended.
#pragma once

#include <sys/types.h>

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

/// A call that is being recorded; on the stack of the function that is in front of the real one.
struct FileCall {
  void* thread = nullptr;        // its recording
  const void* caller = nullptr;  // from stack_of_caller_here()
  Ticks time = 0;
  std::uint32_t file = 0;
  bool is_entered = false;
};

struct FileHooks {
  /// By descriptor: number of the file, from 1 on; 0: none that is known.
  const std::atomic<std::uint32_t>* files;

  /// Of open() and the like; false if the call is not recorded. Ended by end_open(), whether or not it was.
  bool (*begin_open)(FileCall& call, FileFunction function, const void* caller);
  void (*end_open)(FileCall& call, const char* path, int flags, int descriptor);

  /// Of a call on a file that is known. Ended by one of the following.
  bool (*begin)(FileCall& call, FileFunction function, const void* caller, int descriptor);
  void (*end)(FileCall& call);

  /// The same for reads, writes and flushes of so many bytes (0: unknown). `done`: how many there were; negative: none.
  bool (*begin_transfer)(FileCall& call, FileFunction function, const void* caller, int descriptor, std::size_t bytes);
  void (*end_transfer)(FileCall& call, FileFunction function, ssize_t done);

  /// So many bytes more that a call has read or written, or another before it.
  void (*add_transfer)(FileCall& call, bool is_write, std::size_t bytes);

  void (*end_seek)(FileCall& call, std::int64_t offset, int whence, std::int64_t result);

  /// The descriptor is free for other files from here on. To be called before the real function, and end_close() behind
  /// it.
  bool (*begin_close)(FileCall& call, FileFunction function, const void* caller, int descriptor);
  void (*end_close)(FileCall& call);

  /// So are these, without a record.
  void (*closed)(unsigned first, unsigned last);

  /// `to` is another descriptor of the file that `from` is open for, if any.
  void (*duplicated)(int from, int to);
};

}  // namespace tarry::measure

/// The recorder's; not there without it.
extern "C" __attribute__((visibility("default"), weak)) const tarry::measure::FileHooks* tarry_file_hooks();

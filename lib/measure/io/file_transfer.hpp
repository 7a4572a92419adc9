// file_transfer.hpp -- what is recorded of a read, a write or a flush beside the call.
//
// Calls: handler-safe.
#pragma once

#include <cstdint>

#include "measure/core/recorder.hpp"
#include "measure/io/descriptors.hpp"
#include "measure/io/file_hooks.hpp"
#include "trace/event_codec.hpp"

namespace tarry::measure {

/// As in OTF2_IoOperationMode.
enum class TransferMode : std::uint8_t { kRead = 0, kWrite = 1, kFlush = 2, kNone };

[[gnu::always_inline]] inline TransferMode mode_of(FileFunction function) {
  constexpr TransferMode kModes[] = {
#define FILE_FUNCTION(enumerator, name, source, role, mode) TransferMode::mode,
#include "measure/io/file_functions.def"
#undef FILE_FUNCTION
  };
  return kModes[static_cast<std::size_t>(function)];
}

/// How many bytes are asked for, as an event has it.
inline std::uint64_t wanted_of(Bytes bytes) { return bytes == 0 ? kNoField : bytes; }

inline record::IoOperationBegin begin_record(IoHandleId file, std::uint64_t mode, Bytes bytes, std::uint64_t number) {
  return {.handle = file, .mode = mode, .flags = 0, .bytes = wanted_of(bytes), .matching = number};
}

/// For callers that hold the gate.
struct FileTransfer {
  FileNumber file;
  TransferMode mode;

  bool is_write() const { return mode == TransferMode::kWrite; }

  /// Tells apart what is under way at the same time: by other threads, and in a signal handler.
  std::uint64_t number_in(const Thread& thread) const {
    return std::uint64_t{thread.number} * 4 + static_cast<std::uint64_t>(mode);
  }

  void put_begin(Thread& thread, Ticks time, Bytes bytes) const {
    put_guarded(thread, time, begin_record(handle_of(file), static_cast<unsigned>(mode), bytes, number_in(thread)));
  }
  void put_complete(Thread& thread, Ticks time, Bytes bytes) const {
    put_guarded(thread, time,
                record::IoOperationComplete{.handle = handle_of(file), .bytes = bytes, .matching = number_in(thread)});
    if (thread.summarises && mode != TransferMode::kFlush)
      thread.profile.count_file_operation(handle_of(file), is_write(), bytes);
  }
};

}  // namespace tarry::measure

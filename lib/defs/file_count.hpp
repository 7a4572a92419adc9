// file_count.hpp -- what has been done with one file.
#pragma once

#include <cstdint>

#include "base/units.hpp"

namespace tarry {

/// By a thread or a process; the file is numbered as its definitions are.
struct FileCount {
  static constexpr std::uint32_t kOthers = 0xffffffffu;  // as file: all that are not told apart

  std::uint32_t file = kOthers;
  std::uint64_t opens = 0, reads = 0, writes = 0;
  Bytes bytes_read = 0, bytes_written = 0;
  Ticks time = 0;  // until each of its records: from the one before in the same call, or from the begin of the call

  void add_operation(bool is_write, Bytes bytes) {
    ++(is_write ? writes : reads);
    (is_write ? bytes_written : bytes_read) += bytes;
  }

  /// The file remains that of this one.
  FileCount& operator+=(const FileCount& more) {
    opens += more.opens;
    reads += more.reads;
    writes += more.writes;
    bytes_read += more.bytes_read;
    bytes_written += more.bytes_written;
    time += more.time;
    return *this;
  }

  bool operator==(const FileCount&) const = default;
};

}  // namespace tarry

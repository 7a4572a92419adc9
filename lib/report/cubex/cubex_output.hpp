// cubex_output.hpp -- a buffered stream of bytes into a file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/files/file.hpp"

namespace tarry {

/// Collects bytes and writes them to a file in large pieces, of which the disk gets the first while others are still to
/// come. Errors stick; ask once at the end.
class CubexOutput {
 public:
  CubexOutput(const File& file, std::string path) : file_(file), path_(std::move(path)) {}

  void append(std::string_view bytes) {
    if (bytes.size() >= kLargePiece) return append_large(bytes);
    buffer_.append(bytes);
    if (buffer_.size() >= kBufferSize) flush();
  }

  void append_zeros(std::size_t count) { append(std::string(count, '\0')); }

  /// Writes what is left; the first error of all, if there was one.
  Status finish() {
    flush();
    return status_;
  }

 private:
  static constexpr std::size_t kBufferSize = 1 << 18, kLargePiece = 1 << 15, kWriteBehind = 4 << 20;

  void append_large(std::string_view bytes) {
    flush();
    write(bytes);
  }

  void flush() {
    write(buffer_);
    buffer_.clear();
  }

  void write(std::string_view bytes) {
    if (status_.ok()) status_ = write_all(file_, bytes.data(), bytes.size(), path_);
    since_hint_ += bytes.size();
    if (since_hint_ < kWriteBehind) return;
    since_hint_ = 0;
    start_writing_back(file_);
  }

  const File& file_;
  std::string path_;
  std::string buffer_;
  std::size_t since_hint_ = 0;
  Status status_;
};

}  // namespace tarry

// cubex_output.hpp -- a buffered stream of bytes that can also just count.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/file.hpp"

namespace tarry {

/// Collects bytes and writes them to a file in large pieces. Without a file it only counts them: the size of a part
/// must be known before the part is written. Errors stick; ask once at the end.
class CubexOutput {
 public:
  CubexOutput() = default;
  CubexOutput(const File& file, std::string path) : file_(&file), path_(std::move(path)) {}

  void append(std::string_view bytes) {
    count_ += bytes.size();
    if (!file_) return;
    if (bytes.size() >= kLargePiece) return append_large(bytes);
    buffer_.append(bytes);
    if (buffer_.size() >= kBufferSize) flush();
  }

  void append_zeros(std::size_t count) { append(std::string(count, '\0')); }

  std::uint64_t count() const { return count_; }

  /// Writes what is left; the first error of all, if there was one.
  Status finish() {
    flush();
    return status_;
  }

 private:
  static constexpr std::size_t kBufferSize = 1 << 18, kLargePiece = 1 << 15;

  void append_large(std::string_view bytes) {
    flush();
    if (status_.ok()) status_ = write_all(*file_, bytes.data(), bytes.size(), path_);
  }

  void flush() {
    if (file_ && status_.ok()) status_ = write_all(*file_, buffer_.data(), buffer_.size(), path_);
    buffer_.clear();
  }

  const File* file_ = nullptr;
  std::string path_;
  std::string buffer_;
  std::uint64_t count_ = 0;
  Status status_;
};

}  // namespace tarry

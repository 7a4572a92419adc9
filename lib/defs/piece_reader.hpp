// piece_reader.hpp -- a file that anybody may have written, read piece by piece, in bounded memory and time.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/owned_file.hpp"

namespace tarry {

class PieceReader {
 public:
  static constexpr std::size_t kPieceBytes = std::size_t{1} << 16;

  /// A regular file of this user, which is no link. Reading ends after `patience`.
  static std::optional<PieceReader> open(const std::string& path, std::chrono::milliseconds patience);

  /// The time begins anew.
  void give_time() { end_ = std::chrono::steady_clock::now() + patience_; }

  /// Up to `most` bytes from there, kPieceBytes at most. Fewer at the end of the file, none when the time is up. They
  /// hold until the next call.
  std::string_view at(std::uint64_t offset, std::size_t most);

 private:
  PieceReader(OwnedFile file, std::chrono::milliseconds patience);
  void fill(std::uint64_t offset);

  OwnedFile file_;
  std::chrono::milliseconds patience_;
  std::chrono::steady_clock::time_point end_;
  std::vector<char> piece_;
  std::uint64_t begin_ = 0;  // of the piece in the file
  std::size_t size_ = 0;
};

}  // namespace tarry

// piece_reader.cpp -- reads the file where it is asked for.
#include "defs/piece_reader.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace tarry {

static bool is_file_of_user(const struct stat& facts) { return S_ISREG(facts.st_mode) && facts.st_uid == ::geteuid(); }

// To open a pipe would wake the one who waits for a reader. So the file is looked at before, too.
std::optional<PieceReader> PieceReader::open(const std::string& path, std::chrono::milliseconds patience) {
  struct stat facts;
  if (::lstat(path.c_str(), &facts) != 0 || !is_file_of_user(facts)) return std::nullopt;
  auto file = OwnedFile::open(path, O_RDONLY);
  if (!file.ok() || ::fstat(file->descriptor(), &facts) != 0 || !is_file_of_user(facts)) return std::nullopt;
  return PieceReader(std::move(*file), patience);
}

PieceReader::PieceReader(OwnedFile file, std::chrono::milliseconds patience)
    : file_(std::move(file)),
      patience_(patience),
      end_(std::chrono::steady_clock::now() + patience),
      piece_(kPieceBytes) {}

std::string_view PieceReader::at(std::uint64_t offset, std::size_t most) {
  most = std::min(most, kPieceBytes);
  if (offset < begin_ || offset - begin_ + most > size_) fill(offset);
  if (offset < begin_ || offset - begin_ >= size_) return {};
  const std::size_t at = offset - begin_;
  return {piece_.data() + at, std::min(most, size_ - at)};
}

void PieceReader::fill(std::uint64_t offset) {
  constexpr std::uint64_t kMostOffset = std::uint64_t{1} << 62;
  begin_ = offset;
  size_ = 0;
  if (offset > kMostOffset || std::chrono::steady_clock::now() >= end_) return;
  const ssize_t count = ::pread(file_.descriptor(), piece_.data(), piece_.size(), static_cast<off_t>(offset));
  size_ = count > 0 ? static_cast<std::size_t>(count) : 0;
}

}  // namespace tarry

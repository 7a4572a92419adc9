// file.hpp -- files that are read whole, written in one step, or appended to.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace tarry {

/// An open descriptor that closes itself.
class File {
 public:
  File() = default;
  explicit File(int descriptor) : descriptor_(descriptor) {}
  File(File&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  File& operator=(File&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~File();

  int descriptor() const { return descriptor_; }
  bool is_open() const { return descriptor_ >= 0; }

 private:
  int descriptor_ = -1;
};

/// open(2) with O_CLOEXEC; `flags` as there.
Result<File> open_file(const std::string& path, int flags, unsigned mode = 0666);

/// All `size` bytes, or an error that names `path`.
Status write_all(const File& file, const void* data, std::size_t size, const std::string& path);

/// What was written so far may go to the disk while more is written, which makes the fsync at the end shorter. Only a
/// hint.
void start_writing_back(const File& file);

/// A whole file, read-only, mapped into memory. Empty files give an empty span. A file with holes is copied: some file
/// systems allocate a mapped hole on its first touch. If they are full, that touch would end the program.
class MappedFile {
 public:
  static Result<MappedFile> open(const std::string& path);

  /// The same for what comes from stdin ("-") or a pipe: up to 32 MiB stay in memory, more goes to an unlinked file in
  /// temporary_folder(). `check` sees the first 32 MiB before more is read: a stream of something else need not end.
  using CheckBeginning = std::function<Status(std::span<const std::uint8_t>)>;
  static Result<MappedFile> from_stream(const std::string& path, const CheckBeginning& check);

  MappedFile() = default;
  MappedFile(MappedFile&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        is_copy_(std::exchange(other.is_copy_, false)) {}
  MappedFile& operator=(MappedFile&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(is_copy_, other.is_copy_);
    return *this;
  }
  ~MappedFile();

  std::span<const std::uint8_t> bytes() const { return {data_, size_}; }

  /// Takes the pages that lie wholly within `part` (of bytes()) out of memory; they come back when they are read again.
  void forget(std::span<const std::uint8_t> part) const;

 private:
  static Result<MappedFile> of_memory(std::span<const std::uint8_t> bytes, const std::string& path);
  static Result<MappedFile> of_file(const File& file, const std::string& path);

  const std::uint8_t* data_ = nullptr;
  std::size_t size_ = 0;
  bool is_copy_ = false;
};

/// Reads a whole file, a pipe, or stdin for "-"; up to 1 GiB.
Result<std::vector<std::uint8_t>> read_file(const std::string& path);

/// The same as a text; empty if it cannot be read.
std::string text_of_file(const std::string& path);

/// Writes a file in one step: to a temporary name beside it, fsync, rename. Readers see the old file or the new one.
/// "-" writes to stdout; a device or a pipe at the path is written into, a link is followed. On error the
/// old file is as it was and the temporary one is gone.
Status write_file(const std::string& path, std::span<const std::uint8_t> bytes);
Status write_file(const std::string& path, std::string_view text);

/// The same, for writers that stream: `fill` gets the open temporary file.
Status write_file_with(const std::string& path, const std::function<Status(const File&)>& fill);

/// The same for a file that only we use: whatever is at the path (a link, a pipe) is replaced.
Status replace_file(const std::string& path, std::span<const std::uint8_t> bytes);

/// Where large temporary files go: $TMPDIR, or /tmp.
std::string temporary_folder();

/// What messages call an output: the path, "standard output" for "-".
std::string output_name(const std::string& path);

/// True if `descriptor` is a pipe or a socket without a reader: `tarry ... | head`.
bool is_reader_gone(int descriptor);

/// "errno text" for messages.
std::string system_error();

bool path_exists(const std::string& path);
bool is_directory(const std::string& path);

/// Length in bytes.
Result<std::uint64_t> file_size(const std::string& path);

/// True if both name the same existing file (links and spelling aside).
bool is_same_file(const std::string& left, const std::string& right);

}  // namespace tarry

// file.cpp -- files that are read whole, written in one step, or appended to.
#include "base/files/file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <new>

#include "base/files/input_file.hpp"
#include "base/arrays/round_up.hpp"
#include "base/files/temporary_file.hpp"

namespace tarry {

static constexpr std::size_t kStreamBytesInMemory = std::size_t{32} << 20;
static constexpr std::size_t kMostBytesInMemory = std::size_t{1} << 30;

File::~File() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::string system_error() { return std::strerror(errno); }

std::string temporary_folder() {
  const char* wanted = std::getenv("TMPDIR");
  return wanted && *wanted ? wanted : "/tmp";
}

bool is_reader_gone(int descriptor) {
  struct stat facts = {};
  if (::fstat(descriptor, &facts) != 0 || !(S_ISFIFO(facts.st_mode) || S_ISSOCK(facts.st_mode))) return false;
  pollfd watched = {descriptor, POLLOUT, 0};
  return ::poll(&watched, 1, 0) > 0 && (watched.revents & (POLLERR | POLLHUP));
}

std::string output_name(const std::string& path) { return path == "-" ? "standard output" : path; }

bool path_exists(const std::string& path) {
  struct stat facts;
  return ::stat(path.c_str(), &facts) == 0;
}

bool is_directory(const std::string& path) {
  struct stat facts;
  return ::stat(path.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode);
}

Result<std::uint64_t> file_size(const std::string& path) {
  struct stat facts;
  if (::stat(path.c_str(), &facts) != 0) return Error{path, system_error(), ""};
  return static_cast<std::uint64_t>(facts.st_size);
}

bool is_same_file(const std::string& left, const std::string& right) {
  struct stat a, b;
  return ::stat(left.c_str(), &a) == 0 && ::stat(right.c_str(), &b) == 0 && a.st_dev == b.st_dev &&
         a.st_ino == b.st_ino;
}

Result<File> open_file(const std::string& path, int flags, unsigned mode) {
  const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC, mode);
  if (descriptor < 0) return Error{path, system_error(), ""};
  return File(descriptor);
}

Status write_all(const File& file, const void* data, std::size_t size, const std::string& path) {
  const auto* at = static_cast<const char*>(data);
  while (size) {
    const ssize_t written = ::write(file.descriptor(), at, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return Error{path, system_error(), errno == ENOSPC ? "make room and run again" : ""};
    at += written;
    size -= static_cast<std::size_t>(written);
  }
  return {};
}

void start_writing_back(const File& file) { ::sync_file_range(file.descriptor(), 0, 0, SYNC_FILE_RANGE_WRITE); }

// Reads what is between the holes of a file.
static Status copy_extents(const File& file, std::uint8_t* into, off_t size, const std::string& path) {
  off_t at = 0;
  while (at < size && (at = ::lseek(file.descriptor(), at, SEEK_DATA)) >= 0) {
    const off_t hole = ::lseek(file.descriptor(), at, SEEK_HOLE);
    const off_t end = hole < 0 ? size : std::min(hole, size);
    while (at < end) {
      const ssize_t got = ::pread(file.descriptor(), into + at, static_cast<std::size_t>(end - at), at);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return Error{path, system_error(), ""};
      if (got == 0) return {};  // it has become shorter
      at += got;
    }
  }
  return at >= 0 || errno == ENXIO ? Status() : Status(Error{path, system_error(), ""});
}

// A mapped hole needs a page when it is read; on a full tmpfs there is none (SIGBUS).
static bool has_holes(const File& file, off_t size) {
  const off_t hole = ::lseek(file.descriptor(), 0, SEEK_HOLE);
  return hole >= 0 && hole < size;
}

Result<MappedFile> MappedFile::open(const std::string& path) {
  TARRY_TRY_ASSIGN(file, open_input(path));
  return of_file(file, path);
}

Result<MappedFile> MappedFile::of_file(const File& file, const std::string& path) {
  struct stat facts;
  if (::fstat(file.descriptor(), &facts) != 0) return Error{path, system_error(), ""};
  MappedFile mapped;
  if (facts.st_size == 0) return mapped;
  mapped.is_copy_ = has_holes(file, facts.st_size);
  const auto size = static_cast<std::size_t>(facts.st_size);
  void* data = mapped.is_copy_
                   ? ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                   : ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.descriptor(), 0);
  if (data == MAP_FAILED && errno == ENOMEM) throw std::bad_alloc();  // or readers would take the file for damaged
  if (data == MAP_FAILED) return Error{path, system_error(), ""};
  mapped.data_ = static_cast<const std::uint8_t*>(data);
  mapped.size_ = size;
  if (mapped.is_copy_) TARRY_TRY(copy_extents(file, static_cast<std::uint8_t*>(data), facts.st_size, path));
  return mapped;
}

Result<MappedFile> MappedFile::of_memory(std::span<const std::uint8_t> bytes, const std::string& path) {
  MappedFile mapped;
  if (bytes.empty()) return mapped;
  void* data = ::mmap(nullptr, bytes.size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) return Error{path, system_error(), ""};
  std::memcpy(data, bytes.data(), bytes.size());
  mapped.data_ = static_cast<const std::uint8_t*>(data);
  mapped.size_ = bytes.size();
  mapped.is_copy_ = true;
  return mapped;
}

// Reads until `buffer` is full or the stream ends; how much it read.
static Result<std::size_t> fill_from(const File& stream, std::span<std::uint8_t> buffer, const std::string& path) {
  std::size_t used = 0;
  while (used < buffer.size()) {
    const ssize_t got = ::read(stream.descriptor(), buffer.data() + used, buffer.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Error{path, system_error(), ""};
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
  }
  return used;
}

Result<MappedFile> MappedFile::from_stream(const std::string& path, const CheckBeginning& check) {
  TARRY_TRY_ASSIGN(stream, open_stream(path));
  const std::string name = path == "-" ? "standard input" : path;
  std::vector<std::uint8_t> buffer(kStreamBytesInMemory);
  TARRY_TRY_ASSIGN(got, fill_from(stream, buffer, name));
  TARRY_TRY(check(std::span(buffer).first(got)));
  if (got < buffer.size()) return of_memory(std::span(buffer).first(got), name);
  const std::string temporary = temporary_folder();
  TARRY_TRY_ASSIGN(file, open_temporary_file(temporary));
  while (got) {
    TARRY_TRY(write_all(file, buffer.data(), got, temporary));
    TARRY_TRY_ASSIGN(more, fill_from(stream, buffer, name));
    got = more;
  }
  return of_file(file, temporary);
}

MappedFile::~MappedFile() {
  if (data_) ::munmap(const_cast<std::uint8_t*>(data_), size_);
}

void MappedFile::forget(std::span<const std::uint8_t> part) const {
  if (is_copy_) return;
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = round_up(reinterpret_cast<std::uintptr_t>(part.data()), page);
  const auto end = reinterpret_cast<std::uintptr_t>(part.data() + part.size()) / page * page;
  if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

std::string text_of_file(const std::string& path) {
  auto bytes = read_file(path);
  return bytes.ok() ? std::string(bytes->begin(), bytes->end()) : "";
}

Result<std::vector<std::uint8_t>> read_file(const std::string& path) {
  TARRY_TRY_ASSIGN(file, open_stream(path));
  std::vector<std::uint8_t> bytes;
  std::size_t used = 0;
  for (;;) {
    if (bytes.size() - used < 65536) bytes.resize(bytes.size() * 2 + 65536);
    const ssize_t got = ::read(file.descriptor(), bytes.data() + used, bytes.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Error{path, system_error(), ""};
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
    if (used > kMostBytesInMemory) return Error{path, "is larger than 1 GiB, or has no end", ""};
  }
  bytes.resize(used);
  return bytes;
}

Status write_file(const std::string& path, std::span<const std::uint8_t> bytes) {
  return write_file_with(
      path, [&](const File& file) { return write_all(file, bytes.data(), bytes.size(), output_name(path)); });
}

Status write_file(const std::string& path, std::string_view text) {
  return write_file(path, std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

namespace {

bool exists_but_is_no_file(const std::string& path) {
  struct stat facts;
  return ::stat(path.c_str(), &facts) == 0 && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode);
}

/// The path that a chain of symbolic links ends at; the last one may not exist yet.
std::string behind_links(std::string path) {
  std::error_code none;
  for (int links = 0; links < 40 && std::filesystem::is_symlink(path, none); ++links) {
    const std::filesystem::path target = std::filesystem::read_symlink(path, none);
    path = (std::filesystem::path(path).parent_path() / target).string();
  }
  return path;
}

Status write_beside(const std::string& path, const std::function<Status(const File&)>& fill) {
  TARRY_TRY_ASSIGN(draft, create_file_beside(path));
  TARRY_TRY(fill(draft.file()));
  if (::fsync(draft.file().descriptor()) != 0 && errno != EINVAL) return Error{path, system_error(), ""};
  return draft.keep_as(path);
}

}  // namespace

Status replace_file(const std::string& path, std::span<const std::uint8_t> bytes) {
  return write_beside(path, [&](const File& file) { return write_all(file, bytes.data(), bytes.size(), path); });
}

Status write_file_with(const std::string& path, const std::function<Status(const File&)>& fill) {
  if (path == "-") {
    const File file(::dup(STDOUT_FILENO));
    return fill(file);
  }
  // A device, a pipe or a terminal is written into: renaming over it would replace it.
  if (exists_but_is_no_file(path)) {
    TARRY_TRY_ASSIGN(file, open_file(path, O_WRONLY));
    return fill(file);
  }
  return write_beside(behind_links(path), fill);
}

}  // namespace tarry

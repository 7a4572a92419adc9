// spool.cpp -- growing the spool, and giving its room back.
#include "measure/core/spool.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/files/file.hpp"
#include "measure/core/signal_block.hpp"
#include "trace/container.hpp"

namespace tarry::measure {
namespace {

// The more blocks are in use, the more are added at a time: the file is seldom opened.
constexpr std::uint64_t kMostAdded = 32, kUsedForEachAdded = 4;

// A page of the map must never lie where the file has no room: touching it would end the program.
Status allocate(const OwnedFile& file, std::uint64_t offset, std::uint64_t bytes, const std::string& path) {
  int outcome;
  do {
    outcome = ::fallocate(file.descriptor(), 0, static_cast<off_t>(offset), static_cast<off_t>(bytes));
  } while (outcome != 0 && errno == EINTR);
  if (outcome == 0) return {};
  if (errno != EOPNOTSUPP && errno != ENOSYS) return Error{path, system_error(), ""};
  static const std::uint8_t zeros[4096] = {};
  for (std::uint64_t done = 0; done < bytes; done += sizeof zeros) {
    errno = ENOSPC;  // of a short write
    if (::pwrite(file.descriptor(), zeros, sizeof zeros, static_cast<off_t>(offset + done)) != sizeof zeros)
      return Error{path, system_error(), ""};
  }
  return {};
}

}  // namespace

Status Spool::open(const std::string& path) {
  const WriteSignals ours;
  path_ = path;
  TARRY_TRY_ASSIGN(file, OwnedFile::open(path, O_RDWR | O_CREAT | O_EXCL));
  identity_ = file.identity();
  const ContainerHeaderBytes header = encode_container_header(kBlockBytes);
  errno = ENOSPC;  // of a short write
  if (::pwrite(file.descriptor(), header.data(), header.size(), 0) != static_cast<ssize_t>(header.size()))
    return Error{path, system_error(), ""};
  end_ = kSpoolFirstBlock;
  TARRY_TRY(map_blocks(1));
  reserve_ = next_;
  spare_ = 0;
  return {};
}

Result<std::uint8_t*> Spool::take() {
  if (spare_ == 0) TARRY_TRY(grow());
  --spare_;
  ++taken_;
  return std::exchange(next_, next_ + kBlockBytes);
}

Status Spool::grow() {
  const WriteSignals ours;
  const std::uint64_t wanted = std::clamp<std::uint64_t>(taken_ / kUsedForEachAdded, 1, kMostAdded);
  const Status grown = map_blocks(wanted);
  return grown.ok() || wanted == 1 ? grown : map_blocks(1);
}

Status Spool::map_blocks(std::uint64_t count) {
  TARRY_TRY_ASSIGN(file, OwnedFile::open(path_, O_RDWR));
  if (file.identity() != identity_) return Error{path_, "is another file now", ""};
  const std::uint64_t bytes = count * kBlockBytes;
  TARRY_TRY(allocate(file, end_, bytes, path_));
  const std::uint64_t before = end_ % static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  void* const data = ::mmap(nullptr, before + bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.descriptor(),
                            static_cast<off_t>(end_ - before));
  if (data == MAP_FAILED) return Error{path_, system_error(), ""};
  next_ = static_cast<std::uint8_t*>(data) + before;
  spare_ = count;
  end_ += bytes;
  return {};
}

// Needs no descriptor. Where the file system or the size of pages does not allow it, the header says as much.
void Spool::release(std::uint8_t* block) {
  if (::madvise(block, kBlockBytes, MADV_REMOVE) != 0) std::memset(block, 0, kChunkHeaderBytes);
}

bool Spool::release_reserve() {
  return reserve_ && ::madvise(std::exchange(reserve_, nullptr), kBlockBytes, MADV_REMOVE) == 0;
}

void Spool::remove() {
  struct stat facts;
  if (::lstat(path_.c_str(), &facts) == 0 && identity_ == FileIdentity{facts.st_dev, facts.st_ino})
    ::unlink(path_.c_str());
}

}  // namespace tarry::measure

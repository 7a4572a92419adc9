// rows.cpp -- memory of large arrays: moved page by page when it grows, and kept below a limit if one was set.
#include "base/rows.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <new>
#include <thread>

#include "base/temporary_file.hpp"

namespace tarry {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kLargestHeapBlock = std::size_t{1} << 20;
constexpr std::size_t kSmallestBlock = 1024;
// On a busy machine a look may come late: what is touched until then must fit into the other half.
constexpr auto kTrimInterval = std::chrono::milliseconds(2);
constexpr double kTrimAbove = 0.5;  // of the limit

std::size_t round_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

// An address range whose begin is aligned to huge pages, with nothing behind it yet.
void* reserve(std::size_t bytes) {
  void* all = ::mmap(nullptr, bytes + kHugePage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED) throw std::bad_alloc();
  const auto begin = reinterpret_cast<std::uintptr_t>(all);
  const std::uintptr_t aligned = round_up(begin, kHugePage);
  if (aligned > begin) ::munmap(all, aligned - begin);
  ::munmap(reinterpret_cast<void*>(aligned + bytes), begin + kHugePage - aligned);
  return reinterpret_cast<void*>(aligned);
}

// The mapped files, and the thread that takes their pages out of memory.
class Limit {
 public:
  ~Limit() {
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    changed_.notify_all();
    if (trimmer_.joinable()) trimmer_.join();
  }

  Status start(std::uint64_t bytes, const std::string& folder) {
    bytes_ = bytes;
    folder_ = folder;
    TARRY_TRY(open_temporary_file(folder));
    trimmer_ = std::thread([this] { run(); });
    return {};
  }

  bool is_set() const { return bytes_ > 0; }

  // A descriptor of its own; -1 if there is none.
  int open_unnamed() const {
    const auto file = open_temporary_file(folder_);
    return file.ok() ? ::fcntl(file.value().descriptor(), F_DUPFD_CLOEXEC, 0) : -1;
  }

  void add(void* data, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    blocks_.push_back({data, bytes});
  }
  void unmap(void* data, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    std::erase_if(blocks_, [&](const Block& block) { return block.data == data; });
    ::munmap(data, bytes);
  }

 private:
  struct Block {
    void* data;
    std::size_t bytes;
  };

  static std::uint64_t resident_bytes() {
    unsigned long long size = 0, resident = 0;
    if (std::FILE* file = std::fopen("/proc/self/statm", "re")) {
      if (std::fscanf(file, "%llu %llu", &size, &resident) != 2) resident = 0;
      std::fclose(file);
    }
    return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  }

  void run() {
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, kTrimInterval, [this] { return is_over_; })) {
      if (static_cast<double>(resident_bytes()) < kTrimAbove * static_cast<double>(bytes_)) continue;
      // What is in use comes back from the page cache at the next touch.
      for (const Block& block : blocks_) ::madvise(block.data, block.bytes, MADV_DONTNEED);
    }
  }

  std::uint64_t bytes_ = 0;
  std::string folder_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_over_ = false;
  std::vector<Block> blocks_;
  std::thread trimmer_;
};

Limit& limit() {
  static Limit one;
  return one;
}

}  // namespace

Status RowMemory::keep_below(std::uint64_t bytes, const std::string& folder) { return limit().start(bytes, folder); }

void RowMemory::grow(std::size_t bytes) {
  const std::size_t larger = capacity_ < kLargestHeapBlock ? 2 * capacity_ : capacity_ + capacity_ / 2;
  const std::size_t wanted = std::max({bytes, kSmallestBlock, larger});
  if (is_mapped_ || wanted > kLargestHeapBlock) return map(round_up(wanted, kHugePage));
  void* moved = std::realloc(data_, wanted);
  if (!moved) throw std::bad_alloc();
  data_ = moved;
  capacity_ = wanted;
}

void RowMemory::map(std::size_t bytes) {
  RowMemory bigger;
  bigger.is_mapped_ = true;
  bigger.capacity_ = bytes;
  bigger.data_ = reserve(bytes);
  if (limit().is_set())
    bigger.map_file(is_mapped_ ? ::dup(file_) : limit().open_unnamed());
  else
    bigger.map_anonymous();
  if (!is_mapped_) {
    if (data_) std::memcpy(bigger.data_, data_, capacity_);
  } else if (file_ < 0) {
    if (::mremap(data_, capacity_, capacity_, MREMAP_MAYMOVE | MREMAP_FIXED, bigger.data_) == MAP_FAILED) throw std::bad_alloc();
    ::madvise(bigger.data_, bytes, MADV_HUGEPAGE);
    data_ = nullptr;
  }
  swap(bigger);
}

void RowMemory::map_anonymous() {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
  if (::mmap(data_, capacity_, PROT_READ | PROT_WRITE, flags, -1, 0) == MAP_FAILED) throw std::bad_alloc();
  ::madvise(data_, capacity_, MADV_HUGEPAGE);
}

void RowMemory::map_file(int file) {
  file_ = file;
  if (file < 0 || ::ftruncate(file, static_cast<off_t>(capacity_)) != 0 ||
      ::mmap(data_, capacity_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED)
    throw std::bad_alloc();
  limit().add(data_, capacity_);
}

void RowMemory::trim(std::size_t bytes) {
  if (!is_mapped_) {
    if (void* smaller = bytes ? std::realloc(data_, bytes) : nullptr) {
      data_ = smaller;
      capacity_ = bytes;
    }
    return;
  }
  const std::size_t kept = round_up(bytes, static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)));
  if (file_ < 0 && kept < capacity_) ::madvise(static_cast<char*>(data_) + kept, capacity_ - kept, MADV_DONTNEED);
}

void RowMemory::release() {
  if (!is_mapped_) {
    std::free(data_);
  } else if (file_ >= 0) {
    limit().unmap(data_, capacity_);
    ::close(file_);
  } else if (data_) {
    ::munmap(data_, capacity_);
  }
  data_ = nullptr;
  capacity_ = 0;
  file_ = -1;
  is_mapped_ = false;
}

}  // namespace tarry

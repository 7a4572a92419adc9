// rows.cpp -- memory of large arrays: moved page by page when it grows, and kept below a limit if one was set.
#include "base/rows.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <new>
#include <thread>

#include "base/temporary_file.hpp"
#include "base/worker_pool.hpp"

namespace tarry {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kGrowingBlock = std::size_t{1} << 20;
constexpr std::size_t kPackedChunk = std::size_t{4} << 20;
// On a busy machine a look may come late: what is touched until then must fit into the other half.
constexpr auto kTrimInterval = std::chrono::milliseconds(2);
constexpr double kTrimAbove = 0.5;  // of the limit

std::size_t round_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

// An address range with nothing behind it yet; `alignment` is a power of two.
void* reserve(std::size_t bytes, std::size_t alignment) {
  void* all = ::mmap(nullptr, bytes + alignment, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED) throw std::bad_alloc();
  const auto begin = reinterpret_cast<std::uintptr_t>(all);
  const std::uintptr_t aligned = round_up(begin, alignment);
  if (aligned > begin) ::munmap(all, aligned - begin);
  ::munmap(reinterpret_cast<void*>(aligned + bytes), begin + alignment - aligned);
  return reinterpret_cast<void*>(aligned);
}

void put_memory_behind(void* range, std::size_t bytes) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
  if (::mmap(range, bytes, PROT_READ | PROT_WRITE, flags, -1, 0) == MAP_FAILED) throw std::bad_alloc();
  ::madvise(range, bytes, MADV_HUGEPAGE);
}

void put_file_behind(void* range, std::size_t bytes, int file) {
  if (file < 0 || ::ftruncate(file, static_cast<off_t>(bytes)) != 0 ||
      ::mmap(range, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED)
    throw std::bad_alloc();
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
    for (std::thread& thread : trimmer_) thread.join();
  }

  Status start(std::uint64_t bytes, const std::string& folder) {
    bytes_ = bytes;
    folder_ = folder;
    TARRY_TRY(open_temporary_file(folder));
    if (!add_thread(trimmer_, [this] { run(); }))
      return Error{"--memory", "no thread can be started that keeps the limit", "allow more: ulimit -u, ulimit -v"};
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
  std::vector<std::thread> trimmer_;  // one, if a limit is set
};

Limit& limit() {
  static Limit one;
  return one;
}

// Blocks for arrays that grow, for each thread its own. Memory that was in use before needs no page faults.
class GrowingBlocks {
 public:
  ~GrowingBlocks() {
    for (void* block : free_) std::free(block);
  }

  void* take() {
    if (!free_.empty()) {
      void* block = free_.back();
      free_.pop_back();
      return block;
    }
    void* block = std::malloc(kGrowingBlock);
    if (!block) throw std::bad_alloc();
    return block;
  }

  void give_back(void* block) { free_.push_back(block); }

 private:
  std::vector<void*> free_;
};

thread_local GrowingBlocks growing_blocks;

// Complete arrays one behind the other in large chunks, for each thread its own: with many processes there are
// millions. A chunk goes when the last of its arrays does and no thread fills it any more.
class PackedArrays {
 public:
  ~PackedArrays() { let_go(current_); }

  void* take(std::size_t bytes) {
    const std::size_t room = round_up(bytes, kAlignment);
    if (used_ + room > kPackedChunk) {
      let_go(current_);
      current_ = new_chunk();
      used_ = kAlignment;
    }
    void* array = reinterpret_cast<char*>(current_) + used_;
    used_ += room;
    current_->users.fetch_add(1, std::memory_order_relaxed);
    return array;
  }

  // Of any thread.
  static void give_back(void* array) {
    let_go(reinterpret_cast<Chunk*>(reinterpret_cast<std::uintptr_t>(array) & ~(kPackedChunk - 1)));
  }

 private:
  static constexpr std::size_t kAlignment = 64;

  struct Chunk {  // at the begin of each
    std::atomic<std::size_t> users = 1;  // arrays, and the thread that fills it
    int file = -1;
  };
  static_assert(sizeof(Chunk) <= kAlignment);

  static void let_go(Chunk* chunk) {
    if (chunk && chunk->users.fetch_sub(1, std::memory_order_acq_rel) == 1) discard(chunk);
  }

  static Chunk* new_chunk() {
    void* range = reserve(kPackedChunk, kPackedChunk);
    if (!limit().is_set()) {
      put_memory_behind(range, kPackedChunk);
      return new (range) Chunk;
    }
    const int file = limit().open_unnamed();
    put_file_behind(range, kPackedChunk, file);
    limit().add(range, kPackedChunk);
    auto* chunk = new (range) Chunk;
    chunk->file = file;
    return chunk;
  }

  static void discard(Chunk* chunk) {
    const int file = chunk->file;
    if (file < 0) {
      ::munmap(chunk, kPackedChunk);
    } else {
      limit().unmap(chunk, kPackedChunk);
      ::close(file);
    }
  }

  Chunk* current_ = nullptr;
  std::size_t used_ = kPackedChunk;  // of the current chunk
};

thread_local PackedArrays packed_arrays;

}  // namespace

Status RowMemory::keep_below(std::uint64_t bytes, const std::string& folder) { return limit().start(bytes, folder); }

void RowMemory::grow(std::size_t bytes) {
  if (bytes <= kGrowingBlock) return replace(growing_blocks.take(), kGrowingBlock, Kind::kGrowing, capacity_);
  map(round_up(std::max(bytes, capacity_ + capacity_ / 2), kHugePage));
}

void RowMemory::hold(std::size_t bytes) {
  if (capacity_ > 0) return grow(bytes);
  if (bytes > kGrowingBlock) return map(round_up(bytes, kHugePage));
  void* data = std::malloc(bytes);
  if (!data) throw std::bad_alloc();
  replace(data, bytes, Kind::kHeap, 0);
}

void RowMemory::replace(void* data, std::size_t bytes, Kind kind, std::size_t kept) {
  if (kept) std::memcpy(data, data_, kept);
  release();
  data_ = data;
  capacity_ = bytes;
  kind_ = kind;
}

void RowMemory::map(std::size_t bytes) {
  RowMemory bigger;
  bigger.kind_ = Kind::kMapped;
  bigger.capacity_ = bytes;
  bigger.data_ = reserve(bytes, kHugePage);
  if (limit().is_set())
    bigger.map_file(kind_ == Kind::kMapped ? ::dup(file_) : limit().open_unnamed());
  else
    put_memory_behind(bigger.data_, bytes);
  if (kind_ != Kind::kMapped) {
    if (data_) std::memcpy(bigger.data_, data_, capacity_);
  } else if (file_ < 0) {
    if (::mremap(data_, capacity_, capacity_, MREMAP_MAYMOVE | MREMAP_FIXED, bigger.data_) == MAP_FAILED) throw std::bad_alloc();
    ::madvise(bigger.data_, bytes, MADV_HUGEPAGE);
    data_ = nullptr;
  }
  swap(bigger);
}

void RowMemory::map_file(int file) {
  file_ = file;
  put_file_behind(data_, capacity_, file);
  limit().add(data_, capacity_);
}

void RowMemory::trim(std::size_t bytes) {
  if (kind_ == Kind::kMapped) {
    const std::size_t kept = round_up(bytes, static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)));
    if (file_ < 0 && kept < capacity_) ::madvise(static_cast<char*>(data_) + kept, capacity_ - kept, MADV_DONTNEED);
  } else if (bytes == 0) {
    release();
  } else if (bytes < capacity_) {
    replace(packed_arrays.take(bytes), bytes, Kind::kPacked, bytes);
  }
}

void RowMemory::release() {
  switch (data_ ? kind_ : Kind::kHeap) {
    case Kind::kHeap: std::free(data_); break;
    case Kind::kGrowing: growing_blocks.give_back(data_); break;
    case Kind::kPacked: PackedArrays::give_back(data_); break;
    case Kind::kMapped:
      if (file_ < 0) {
        ::munmap(data_, capacity_);
      } else {
        limit().unmap(data_, capacity_);
        ::close(file_);
      }
  }
  data_ = nullptr;
  capacity_ = 0;
  file_ = -1;
  kind_ = Kind::kHeap;
}

}  // namespace tarry

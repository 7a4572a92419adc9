// rows.cpp -- memory of large arrays: moved page by page when it grows, or taken from a budget.
#include "base/arrays/rows.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

#include "base/arrays/round_up.hpp"
#include "base/processes/thread_owned.hpp"

namespace tarry {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kGrowingBlock = std::size_t{1} << 20;
constexpr std::size_t kPackedChunk = std::size_t{4} << 20;
// Within a budget: while an array is no larger, it is on the heap.
constexpr std::size_t kSmallArray = std::size_t{4} << 10, kSmallGrowing = std::size_t{32} << 10;

// An address range with nothing behind it yet; `alignment` is a power of two.
void* reserve_range(std::size_t bytes, std::size_t alignment) {
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

thread_local ThreadOwned<GrowingBlocks> growing_blocks;

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

  struct Chunk {                         // at the begin of each
    std::atomic<std::size_t> users = 1;  // arrays, and the thread that fills it
  };
  static_assert(sizeof(Chunk) <= kAlignment);

  static void let_go(Chunk* chunk) {
    if (chunk && chunk->users.fetch_sub(1, std::memory_order_acq_rel) == 1) ::munmap(chunk, kPackedChunk);
  }

  static Chunk* new_chunk() {
    void* range = reserve_range(kPackedChunk, kPackedChunk);
    put_memory_behind(range, kPackedChunk);
    return new (range) Chunk;
  }

  Chunk* current_ = nullptr;
  std::size_t used_ = kPackedChunk;  // of the current chunk
};

thread_local ThreadOwned<PackedArrays> packed_arrays;

}  // namespace

void RowMemory::grow(std::size_t bytes) {
  if (budget_) return grow_within_budget(bytes);
  if (bytes <= kGrowingBlock) return replace(growing_blocks.take(), kGrowingBlock, Kind::kGrowing, capacity_);
  map(round_up(std::max<std::size_t>(bytes, capacity_ + capacity_ / 2), kHugePage));
}

void RowMemory::hold(std::size_t bytes) {
  if (capacity_ > 0) return grow(bytes);
  if (budget_) return hold_within_budget(bytes);
  if (bytes > kGrowingBlock) return map(round_up(bytes, kHugePage));
  allocate(bytes);
}

void RowMemory::grow_within_budget(std::size_t bytes) {
  if (bytes <= kSmallGrowing) return allocate(kSmallGrowing);
  const std::size_t wanted = round_up(std::max<std::size_t>(bytes, capacity_ + capacity_ / 2), budget_->unit());
  if (kind_ != Kind::kPaged) return replace(budget_->allocate(wanted), wanted, Kind::kPaged, capacity_);
  data_ = budget_->extend(data_, wanted);
  capacity_ = wanted;
}

void RowMemory::hold_within_budget(std::size_t bytes) {
  if (bytes <= kSmallArray) return allocate(bytes);
  if (bytes <= budget_->unit()) return replace(budget_->allocate_part(bytes), bytes, Kind::kPart, 0);
  const std::size_t wanted = round_up(bytes, budget_->unit());
  replace(budget_->allocate(wanted), wanted, Kind::kPaged, 0);
}

void RowMemory::allocate(std::size_t bytes) {
  void* data = std::malloc(bytes);
  if (!data) throw std::bad_alloc();
  replace(data, bytes, Kind::kHeap, capacity_);
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
  bigger.data_ = reserve_range(bytes, kHugePage);
  put_memory_behind(bigger.data_, bytes);
  if (kind_ != Kind::kMapped) {
    if (data_) std::memcpy(bigger.data_, data_, capacity_);
  } else {
    if (::mremap(data_, capacity_, capacity_, MREMAP_MAYMOVE | MREMAP_FIXED, bigger.data_) == MAP_FAILED)
      throw std::bad_alloc();
    ::madvise(bigger.data_, bytes, MADV_HUGEPAGE);
    data_ = nullptr;
  }
  swap(bigger);
}

void RowMemory::trim(std::size_t bytes) {
  if (bytes == 0 && kind_ != Kind::kMapped) return release();
  if (kind_ == Kind::kPaged) return trim_paged(bytes);
  if (kind_ == Kind::kMapped) {
    const std::size_t kept = round_up(bytes, static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)));
    if (kept < capacity_) ::madvise(static_cast<char*>(data_) + kept, capacity_ - kept, MADV_DONTNEED);
  } else if (bytes < capacity_) {
    pack(bytes);
  }
}

// A part may be smaller than a unit.
void RowMemory::trim_paged(std::size_t bytes) {
  if (bytes <= budget_->unit() / 2) return pack(bytes);
  budget_->trim(data_, bytes);
  capacity_ = round_up(bytes, budget_->unit());
}

void RowMemory::pack(std::size_t bytes) {
  if (!budget_) return replace(packed_arrays.take(bytes), bytes, Kind::kPacked, bytes);
  replace(budget_->allocate_part(bytes), bytes, Kind::kPart, bytes);
}

void RowMemory::release() {
  switch (data_ ? kind_ : Kind::kHeap) {
    case Kind::kHeap: std::free(data_); break;
    case Kind::kGrowing: growing_blocks.give_back(data_); break;
    case Kind::kPacked: PackedArrays::give_back(data_); break;
    case Kind::kMapped: ::munmap(data_, capacity_); break;
    case Kind::kPart: budget_->release_part(data_); break;
    case Kind::kPaged: budget_->release(data_); break;
  }
  data_ = nullptr;
  capacity_ = 0;
  kind_ = Kind::kHeap;
}

}  // namespace tarry

// own_memory.cpp -- an allocator without locks, for all threads and all signal handlers.
//
// A handler of the program may interrupt malloc(), and what it calls may be new to the recorder. If the recorder called
// malloc() then, the thread would wait for its own lock. The recorder may also be interrupted here.
//
// Blocks have one of 53 sizes. Those that are free form a stack for each size, which compare-and-swap changes. Blocks
// are never unmapped, so that a thread may read one that another has just taken. Larger ones are mapped each by itself.
#include "measure/core/own_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <new>

#include "base/arrays/round_up.hpp"
#include "measure/core/sanitizer_hooks.hpp"

namespace tarry::measure {
namespace {

constexpr std::size_t kPageBytes = 4096;
constexpr std::size_t kChunkBytes = 256 << 10;      // mapped at once, for blocks that are not larger than
constexpr std::size_t kLargestOfChunk = 16 << 10;   // this
constexpr unsigned kLeastBits = 5, kMostBits = 18;  // of the sizes of blocks
constexpr unsigned kSteps = 4;                      // from one power of two to the next
constexpr unsigned kSizes = (kMostBits - kLeastBits) * kSteps + 1;
constexpr std::uint32_t kMapped = ~0u;  // in place of a size

// In front of what callers get.
struct alignas(16) Label {
  std::uint64_t bytes;   // of the block
  std::uint32_t size;    // its number; or kMapped
  std::uint32_t offset;  // from the begin of the block to what the caller has
};

struct FreeBlock {
  FreeBlock* next;
};

// Sizes are 32, 40, 48, 56, 64, 80, ..., each rounded up to what alignment asks for.
constexpr std::size_t bytes_of(unsigned size) {
  const std::size_t least = std::size_t{1} << (kLeastBits + size / kSteps);
  return round_up(least + least / kSteps * (size % kSteps), alignof(Label));
}
constexpr unsigned size_for(std::size_t bytes) {
  const std::size_t at_least = std::max(bytes, bytes_of(0));
  const auto bits = static_cast<unsigned>(std::bit_width(at_least) - 1);
  unsigned size = (bits - kLeastBits) * kSteps;
  while (bytes_of(size) < at_least) ++size;
  return size;
}
static_assert(bytes_of(kSizes - 1) == std::size_t{1} << kMostBits);

// The next free block. If another thread has taken `block` meanwhile, this reads what it has written there. pop() drops
// the value then, because the top has changed. ThreadSanitizer would report the read.
__attribute__((no_sanitize("thread"))) FreeBlock* next_of(const FreeBlock* block) {
  return __atomic_load_n(&block->next, __ATOMIC_RELAXED);
}

// A pointer and the number of changes in one word: what is as before has not been changed meanwhile.
class FreeStack {
 public:
  void push(FreeBlock* block) {
    std::uint64_t top = top_.load(std::memory_order_relaxed);
    do __atomic_store_n(&block->next, block_of(top), __ATOMIC_RELAXED);
    while (!top_.compare_exchange_weak(top, after(top, block), std::memory_order_release, std::memory_order_relaxed));
  }

  FreeBlock* pop() {
    std::uint64_t top = top_.load(std::memory_order_acquire);
    while (FreeBlock* const block = block_of(top)) {
      FreeBlock* const next = next_of(block);
      if (top_.compare_exchange_weak(top, after(top, next), std::memory_order_acquire)) return block;
    }
    return nullptr;
  }

 private:
  static constexpr unsigned kAddressBits = 48, kZeroBits = 4, kPlaceBits = kAddressBits - kZeroBits;
  static constexpr std::uint64_t kPlaceMask = (std::uint64_t{1} << kPlaceBits) - 1;

  static FreeBlock* block_of(std::uint64_t top) {
    return reinterpret_cast<FreeBlock*>((top & kPlaceMask) << kZeroBits);
  }
  static std::uint64_t after(std::uint64_t top, FreeBlock* block) {
    return ((top >> kPlaceBits) + 1) << kPlaceBits | reinterpret_cast<std::uintptr_t>(block) >> kZeroBits;
  }

  std::atomic<std::uint64_t> top_ = 0;
};

struct alignas(16) Chunk {
  std::atomic<std::size_t> used;
};

constinit std::array<FreeStack, kSizes> g_free;
constinit std::atomic<Chunk*> g_chunk = nullptr;

// The program finds in errno what it left there. A search for leaks looks at what the recorder points to.
void* map_own_memory(std::size_t bytes) {
  const int error = errno;
  void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  errno = error;
  if (memory == MAP_FAILED) return nullptr;
  if (__lsan_register_root_region) __lsan_register_root_region(memory, bytes);
  return memory;
}

void unmap(void* memory, std::size_t bytes) {
  if (__lsan_unregister_root_region) __lsan_unregister_root_region(memory, bytes);
  ::munmap(memory, bytes);
}

// What a chunk has left when a block does not fit is not used.
char* take_of_chunk(std::size_t bytes) {
  for (;;) {
    Chunk* chunk = g_chunk.load(std::memory_order_acquire);
    const std::size_t at = chunk ? chunk->used.fetch_add(bytes, std::memory_order_relaxed) : kChunkBytes;
    if (at + bytes <= kChunkBytes) return reinterpret_cast<char*>(chunk) + at;
    void* const memory = map_own_memory(kChunkBytes);
    if (!memory) return nullptr;
    auto* const next = new (memory) Chunk{sizeof(Chunk)};
    if (!g_chunk.compare_exchange_strong(chunk, next, std::memory_order_acq_rel)) unmap(memory, kChunkBytes);
  }
}

char* take_block(unsigned size) {
  if (FreeBlock* const block = g_free[size].pop()) {
    tell_acquired(block);
    return reinterpret_cast<char*>(block);
  }
  const std::size_t bytes = bytes_of(size);
  return bytes <= kLargestOfChunk ? take_of_chunk(bytes) : static_cast<char*>(map_own_memory(bytes));
}

// The label stands right in front of what the caller gets.
void* label(char* block, const Label& plain, std::size_t alignment) {
  const auto begin = reinterpret_cast<std::uintptr_t>(block);
  const auto offset = static_cast<std::uint32_t>(round_up(begin + sizeof(Label), alignment) - begin);
  new (block + offset - sizeof(Label)) Label{plain.bytes, plain.size, offset};
  return block + offset;
}

}  // namespace

void* take_own_memory(std::size_t bytes, std::size_t alignment) {
  const std::size_t extra = sizeof(Label) + (alignment > alignof(Label) ? alignment - alignof(Label) : 0);
  const std::size_t wanted = bytes + extra;
  if (wanted < bytes) return nullptr;
  if (wanted <= bytes_of(kSizes - 1)) {
    const unsigned size = size_for(wanted);
    char* const block = take_block(size);
    return block ? label(block, {bytes_of(size), size, 0}, alignment) : nullptr;
  }
  const std::size_t mapped = round_up(wanted, kPageBytes);
  char* const block = mapped < wanted ? nullptr : static_cast<char*>(map_own_memory(mapped));
  return block ? label(block, {mapped, kMapped, 0}, alignment) : nullptr;
}

void give_own_memory_back(void* memory) {
  const Label plain = static_cast<const Label*>(memory)[-1];
  char* const block = static_cast<char*>(memory) - plain.offset;
  if (plain.size == kMapped) return unmap(block, plain.bytes);
  tell_released(block);
  g_free[plain.size].push(new (block) FreeBlock);
}

}  // namespace tarry::measure

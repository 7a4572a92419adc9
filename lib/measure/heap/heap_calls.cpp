// heap_calls.cpp -- libtarry-heap.so: sits in front of the allocator and counts what the program has allocated.
//
// It is preloaded only where heap counters are asked for. Every call goes on to the function that would have served the
// program anyhow, whichever allocator that is.
#include <malloc.h>

#include <cerrno>
#include <cstddef>

#include "base/processes/next_function.hpp"
#include "measure/metrics/heap_counts.hpp"

#define TARRY_HEAP_ENTRY extern "C" __attribute__((visibility("default")))

namespace tarry::measure {
namespace {

__thread HeapCounts t_counts __attribute__((tls_model("initial-exec"))) = {};
constinit HeapLevels g_levels;

// Looking the real functions up may allocate: that comes from here, and is never given back.
alignas(16) char g_early[16 << 10];
std::size_t g_early_used = 0;
bool g_is_looking = false;

struct Real {
  void* (*malloc)(std::size_t);
  void* (*calloc)(std::size_t, std::size_t);
  void* (*realloc)(void*, std::size_t);
  void (*free)(void*);
  int (*posix_memalign)(void**, std::size_t, std::size_t);
  void* (*aligned_alloc)(std::size_t, std::size_t);
  void* (*memalign)(std::size_t, std::size_t);
  void* (*valloc)(std::size_t);
  void* (*pvalloc)(std::size_t);
  std::size_t (*usable)(void*);
};
Real g_real;
std::atomic<bool> g_is_ready = false;

// The first allocation of a process comes before it has a second thread.
bool is_ready() {
  if (g_is_ready.load(std::memory_order_acquire)) [[likely]]
    return true;
  if (g_is_looking) return false;
  g_is_looking = true;
  next_function(g_real.malloc, "malloc");
  next_function(g_real.calloc, "calloc");
  next_function(g_real.realloc, "realloc");
  next_function(g_real.free, "free");
  next_function(g_real.posix_memalign, "posix_memalign");
  next_function(g_real.aligned_alloc, "aligned_alloc");
  next_function(g_real.memalign, "memalign");
  next_function(g_real.valloc, "valloc");
  next_function(g_real.pvalloc, "pvalloc");
  next_function(g_real.usable, "malloc_usable_size");
  g_is_looking = false;
  g_is_ready.store(true, std::memory_order_release);
  return true;
}

void* take_early(std::size_t size) {
  const std::size_t rounded = (size + 15) & ~std::size_t{15};
  if (rounded < size || rounded > sizeof g_early - g_early_used) {
    errno = ENOMEM;
    return nullptr;
  }
  void* block = g_early + g_early_used;
  g_early_used += rounded;
  return block;
}

bool is_early(const void* block) { return block >= g_early && block < g_early + sizeof g_early; }

void count_new(void* block) {
  if (!block) return;
  const std::size_t size = g_real.usable(block);
  t_counts.allocated += size;
  ++t_counts.allocations;
  const auto bytes = static_cast<std::int64_t>(size);
  const std::int64_t in_use = g_levels.in_use.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  std::int64_t peak = g_levels.peak.load(std::memory_order_relaxed);
  while (in_use > peak && !g_levels.peak.compare_exchange_weak(peak, in_use, std::memory_order_relaxed)) continue;
}

void count_freed(std::size_t size) {
  t_counts.freed += size;
  g_levels.in_use.fetch_sub(static_cast<std::int64_t>(size), std::memory_order_relaxed);
}

void* counted(void* block) {
  count_new(block);
  return block;
}

}  // namespace
}  // namespace tarry::measure

using namespace tarry::measure;

TARRY_HEAP_ENTRY const HeapCounts* tarry_heap_counts(const HeapLevels** levels) {
  *levels = &g_levels;
  return &t_counts;
}

TARRY_HEAP_ENTRY void* malloc(std::size_t size) { return is_ready() ? counted(g_real.malloc(size)) : take_early(size); }

TARRY_HEAP_ENTRY void* calloc(std::size_t count, std::size_t size) {
  if (is_ready()) return counted(g_real.calloc(count, size));
  return size && count > sizeof g_early / size ? nullptr : take_early(count * size);
}

TARRY_HEAP_ENTRY void free(void* block) {
  if (!block || is_early(block) || !is_ready()) return;
  count_freed(g_real.usable(block));
  g_real.free(block);
}

TARRY_HEAP_ENTRY void* realloc(void* block, std::size_t size) {
  if (!is_ready()) return nullptr;
  if (is_early(block)) {
    void* copy = counted(g_real.malloc(size));
    const std::size_t most = static_cast<std::size_t>(g_early + sizeof g_early - static_cast<char*>(block));
    if (copy) __builtin_memcpy(copy, block, size < most ? size : most);
    return copy;
  }
  const std::size_t before = block ? g_real.usable(block) : 0;
  void* moved = g_real.realloc(block, size);
  if (block && (moved || size == 0)) count_freed(before);
  return counted(moved);
}

TARRY_HEAP_ENTRY int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  if (!is_ready()) return ENOMEM;
  const int outcome = g_real.posix_memalign(block, alignment, size);
  if (outcome == 0) count_new(*block);
  return outcome;
}

TARRY_HEAP_ENTRY void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return is_ready() ? counted(g_real.aligned_alloc(alignment, size)) : nullptr;
}

TARRY_HEAP_ENTRY void* memalign(std::size_t alignment, std::size_t size) {
  return is_ready() ? counted(g_real.memalign(alignment, size)) : nullptr;
}

TARRY_HEAP_ENTRY void* valloc(std::size_t size) { return is_ready() ? counted(g_real.valloc(size)) : nullptr; }

TARRY_HEAP_ENTRY void* pvalloc(std::size_t size) { return is_ready() ? counted(g_real.pvalloc(size)) : nullptr; }

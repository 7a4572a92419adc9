// heap_calls.cpp -- libtarry-heap.so: sits in front of the allocator and counts what the program has allocated.
//
// It is preloaded only where heap counters are asked for. Every call goes on to the function that would have served the
// program anyhow, whichever allocator that is. Where the recorder asks for it, each block is followed from its
// allocation on a call path to its free.
#include <malloc.h>

#include <cerrno>
#include <cstddef>

#include "base/processes/next_function.hpp"
#include "measure/heap/live_blocks.hpp"
#include "measure/metrics/heap_counts.hpp"

#define TARRY_HEAP_ENTRY extern "C" __attribute__((visibility("default")))

namespace tarry::measure {
namespace {

__thread HeapCounts t_counts __attribute__((tls_model("initial-exec"))) = {};
constinit HeapLevels g_levels;
constinit LiveBlocks g_blocks;
constexpr std::size_t kMostBlocks = 8 << 20;  // that are followed at a time

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

void follow(const void* block, std::int64_t bytes, HeapSiteId site) {
  if (site == kNoHeapSite) return;
  if (g_blocks.add(block, site)) g_levels.sites.add(site, bytes);
  else g_levels.sites.note_lost();
}

void raise_peak(std::int64_t in_use) {
  std::int64_t peak = g_levels.peak.load(std::memory_order_relaxed);
  if (in_use <= peak) return;
  while (in_use > peak && !g_levels.peak.compare_exchange_weak(peak, in_use, std::memory_order_relaxed)) continue;
  g_levels.sites.note_peak();
}

// At the call path that is open, or at `site`.
void count_new(void* block, HeapSiteId site = g_levels.sites.current()) {
  if (!block) return;
  const std::size_t size = g_real.usable(block);
  t_counts.allocated += size;
  ++t_counts.allocations;
  const auto bytes = static_cast<std::int64_t>(size);
  raise_peak(g_levels.in_use.fetch_add(bytes, std::memory_order_relaxed) + bytes);
  follow(block, bytes, site);
}

// Returns the site that the block was allocated at.
HeapSiteId count_freed(const void* block, std::size_t size) {
  const auto bytes = static_cast<std::int64_t>(size);
  t_counts.freed += size;
  g_levels.in_use.fetch_sub(bytes, std::memory_order_relaxed);
  if (!g_levels.sites.is_asking()) return kNoHeapSite;
  g_levels.sites.note_less();
  const HeapSiteId site = g_blocks.take(block);
  if (site != kNoHeapSite) g_levels.sites.remove(site, bytes);
  return site;
}

void* counted(void* block) {
  count_new(block);
  return block;
}

void* move_early(const void* block, std::size_t size) {
  void* copy = counted(g_real.malloc(size));
  const std::size_t most = static_cast<std::size_t>(g_early + sizeof g_early - static_cast<const char*>(block));
  if (copy) __builtin_memcpy(copy, block, size < most ? size : most);
  return copy;
}

}  // namespace
}  // namespace tarry::measure

using namespace tarry::measure;

TARRY_HEAP_ENTRY const HeapCounts* tarry_heap_counts(HeapLevels** levels) {
  *levels = &g_levels;
  return &t_counts;
}

TARRY_HEAP_ENTRY bool tarry_heap_follow() {
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  if (!g_blocks.open(kMostBlocks)) return false;
  void* const sites = ::mmap(nullptr, kMostHeapSites * sizeof(HeapSite), PROT_READ | PROT_WRITE, kFlags, -1, 0);
  if (sites == MAP_FAILED) return false;
  g_levels.sites.open(static_cast<HeapSite*>(sites));
  return true;
}

TARRY_HEAP_ENTRY void* malloc(std::size_t size) { return is_ready() ? counted(g_real.malloc(size)) : take_early(size); }

TARRY_HEAP_ENTRY void* calloc(std::size_t count, std::size_t size) {
  if (is_ready()) return counted(g_real.calloc(count, size));
  return size && count > sizeof g_early / size ? nullptr : take_early(count * size);
}

TARRY_HEAP_ENTRY void free(void* block) {
  if (!block || is_early(block) || !is_ready()) return;
  count_freed(block, g_real.usable(block));
  g_real.free(block);
}

// The block may be another thread's as soon as it has moved. So it is counted as freed before, and again as new.
TARRY_HEAP_ENTRY void* realloc(void* block, std::size_t size) {
  if (!is_ready()) return nullptr;
  if (is_early(block)) return move_early(block, size);
  if (!block) return counted(g_real.realloc(block, size));
  const HeapSiteId site_before = count_freed(block, g_real.usable(block));
  void* const moved = g_real.realloc(block, size);
  if (moved || size == 0) return counted(moved);
  count_new(block, site_before);  // it has failed: the block is still there
  return nullptr;
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

// process_budget.cpp -- what --memory of a parallel tool is: a budget of each of its processes.
#include "exchange/process_budget.hpp"

#include <algorithm>

#include "base/files/file.hpp"
#include "exchange/agreed.hpp"

// Of jemalloc, where the tool is linked with it.
extern "C" [[gnu::weak]] int mallctl(const char* name, void* old, std::size_t* old_size, void* value, std::size_t size);

namespace tarry {
namespace {

// Two of buffers, the rest of pages.
constexpr std::uint64_t kBytesOfWorker = std::uint64_t{8} << 20;

// The allocator keeps what was released for ten seconds, as it may be wanted again. Now it gives it back at once.
void keep_no_spare_memory() {
  if (!mallctl) return;
  std::ptrdiff_t milliseconds = 0;
  for (const char* spare :
       {"arenas.dirty_decay_ms", "arenas.muzzy_decay_ms", "arena.0.dirty_decay_ms", "arena.0.muzzy_decay_ms"})
    mallctl(spare, nullptr, nullptr, &milliseconds, sizeof milliseconds);
}

}  // namespace

Result<std::unique_ptr<MemoryBudget>> process_budget(std::uint64_t bytes, Exchange& exchange) {
  if (bytes == 0) return std::unique_ptr<MemoryBudget>();
  keep_no_spare_memory();
  return agreed(MemoryBudget::create(bytes, temporary_folder()),
                {"--memory", "another analysis process cannot write temporary files", "name a folder with TMPDIR"},
                exchange);
}

unsigned workers_within(std::uint64_t bytes, unsigned wanted) {
  if (bytes == 0) return wanted;
  return static_cast<unsigned>(std::clamp<std::uint64_t>(bytes / kBytesOfWorker, 1, wanted));
}

}  // namespace tarry

// memory.cpp -- the recorder's allocations do not end the program when there is no memory.
//
// Where the C library has none left, a reserve serves the step that is being recorded, and the recording stops behind
// it. What the end of the recording needs beyond the reserve is done without: everything is in the spool.
#include "measure/core/memory.hpp"

#include <algorithm>
#include <csetjmp>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <utility>

#include <pthread.h>
#include <sys/mman.h>

#include <atomic>

#include "measure/core/runtime.hpp"
#include "measure/core/signal_mask.hpp"

// Of the C library, whatever allocator the program brings.
extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* __libc_memalign(std::size_t alignment, std::size_t size);
extern "C" void __libc_free(void* memory);

// Of the compilers' sanitizers, where the program is built with one.
extern "C" [[gnu::weak]] void __asan_init();
extern "C" [[gnu::weak]] void __lsan_init();
extern "C" [[gnu::weak]] void __msan_init();
extern "C" [[gnu::weak]] void __tsan_init();
extern "C" [[gnu::weak, gnu::access(none, 1)]] void __lsan_ignore_object(const void* memory);

namespace tarry::measure {

std::atomic<std::size_t> g_handler_used = 0;
__thread HandlerState t_handler_state __attribute__((tls_model("initial-exec"))) = HandlerState::kOutside;

namespace {

constexpr std::size_t kReserveBytes = 2 << 20;  // untouched, it takes no memory
constexpr std::size_t kAlignment = alignof(std::max_align_t);

alignas(kAlignment) char g_reserve[kReserveBytes];
std::atomic<std::size_t> g_reserve_used = 0;

// Where the thread goes on that ends the recording; others have no such place.
struct WayOut {
  jmp_buf place;
  pthread_t thread;
};
WayOut* g_way_out = nullptr;

std::size_t rounded_up(std::size_t number, std::size_t unit) { return (number + unit - 1) / unit * unit; }

bool is_of_reserve(const void* memory) {
  const auto* at = static_cast<const char*>(memory);
  return at >= g_reserve && at < g_reserve + kReserveBytes;
}

void* take_from_reserve(std::size_t size) {
  stop_recording_for_lack_of_memory();
  const std::size_t rounded = rounded_up(size, kAlignment);
  const std::size_t at = g_reserve_used.fetch_add(rounded);
  if (at <= kReserveBytes && rounded <= kReserveBytes - at) return g_reserve + at;
  if (g_way_out && ::pthread_equal(g_way_out->thread, ::pthread_self())) std::longjmp(g_way_out->place, 1);
  std::__throw_bad_alloc();
}

// For handlers. What they take is little: a name for each function that they see first, and blocks' descriptions.
char* g_handler_memory = nullptr;

bool is_of_handlers(const void* memory) {
  const auto* at = static_cast<const char*>(memory);
  return g_handler_memory && at >= g_handler_memory && at < g_handler_memory + kHandlerBytes;
}

void* take_from_handler_memory(std::size_t size) {
  const std::size_t rounded = rounded_up(size, kAlignment);
  const std::size_t at = g_handler_used.fetch_add(rounded);
  return at + rounded <= kHandlerBytes ? g_handler_memory + at : take_from_reserve(size);
}

// Within memory that is larger by that.
void* aligned(void* memory, std::size_t alignment) {
  return reinterpret_cast<void*>(rounded_up(reinterpret_cast<std::uintptr_t>(memory), alignment));
}

// The recorder stands in front of locks that an allocator of the program may hold. To ask that allocator for memory
// would lock once more what is locked. A sanitizer has to see what the recorder points to, so there it is asked.
bool is_sanitized() { return __asan_init || __lsan_init || __msan_init || __tsan_init; }

// A search for leaks does not look into memory that the recorder has from the kernel. Nothing of ours is a leak.
void* of_recorder(void* memory) {
  if (memory && __lsan_ignore_object) __lsan_ignore_object(memory);
  return memory;
}

void* allocate(std::size_t size) { return is_sanitized() ? of_recorder(std::malloc(size)) : __libc_malloc(size); }

void* allocate(std::size_t size, std::size_t alignment) {
  if (!is_sanitized()) return __libc_memalign(alignment, size);
  return of_recorder(std::aligned_alloc(alignment, rounded_up(size, alignment)));
}

void give_back(void* memory) { is_sanitized() ? std::free(memory) : __libc_free(memory); }

// What handlers do not need any more, in a list: given back by whoever allocates outside of handlers.
struct Dropped {
  Dropped* next;
};
std::atomic<Dropped*> g_dropped = nullptr;

void drop(void* memory) {
  auto* const dropped = new (memory) Dropped{g_dropped.load()};
  while (!g_dropped.compare_exchange_weak(dropped->next, dropped)) continue;
}

void give_back_dropped() {
  if (!g_dropped.load(std::memory_order_relaxed)) return;
  for (Dropped* dropped = g_dropped.exchange(nullptr); dropped;) give_back(std::exchange(dropped, dropped->next));
}

void free_memory(void* memory) {
  if (!memory || is_of_reserve(memory) || is_of_handlers(memory)) return;
  is_in_handler() ? drop(memory) : give_back(memory);
}

}  // namespace

bool prepare_handler_memory() {
  if (g_handler_memory) return true;
  void* const memory =
      ::mmap(nullptr, kHandlerBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory != MAP_FAILED) g_handler_memory = static_cast<char*>(memory);
  return g_handler_memory;
}

bool run_within_memory(void (*work)(RuntimeState&), RuntimeState& state) {
  WayOut way;
  way.thread = ::pthread_self();
  sigset_t mask;
  set_signal_mask(SIG_SETMASK, nullptr, &mask);
  g_way_out = &way;
  const bool has_memory = setjmp(way.place) == 0;
  if (has_memory) work(state);
  g_way_out = nullptr;
  if (!has_memory) set_signal_mask(SIG_SETMASK, &mask, nullptr);
  return has_memory;
}

}  // namespace tarry::measure

// Hidden: the program's own are not touched.
void* operator new(std::size_t size) {
  if (tarry::measure::is_in_handler()) return tarry::measure::take_from_handler_memory(size);
  tarry::measure::give_back_dropped();
  void* const memory = tarry::measure::allocate(std::max(size, sizeof(tarry::measure::Dropped)));
  return memory ? memory : tarry::measure::take_from_reserve(size);
}
void* operator new[](std::size_t size) { return operator new(size); }
void* operator new(std::size_t size, std::align_val_t align) {
  using namespace tarry::measure;
  const auto alignment = static_cast<std::size_t>(align);
  if (is_in_handler()) return aligned(take_from_handler_memory(size + alignment), alignment);
  void* const memory = allocate(size, alignment);
  return memory ? memory : aligned(take_from_reserve(size + alignment), alignment);
}
void operator delete(void* memory) noexcept { tarry::measure::free_memory(memory); }
void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { operator delete(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { operator delete(memory); }
void operator delete[](void* memory) noexcept { operator delete(memory); }
void operator delete[](void* memory, std::size_t) noexcept { operator delete(memory); }

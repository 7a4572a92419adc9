// memory.cpp -- the recorder's allocations do not end the program when there is no memory.
//
// Memory comes from the kernel (own_memory.hpp). Where that has none left, a reserve serves the step that is being
// recorded, and the recording stops behind it. What the end of the recording needs beyond the reserve is done without:
// everything is in the spool.
#include "measure/core/memory.hpp"

#include <atomic>
#include <csetjmp>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <new>

#include <pthread.h>

#include "base/arrays/round_up.hpp"
#include "measure/core/own_memory.hpp"
#include "measure/core/runtime.hpp"
#include "measure/core/signal_block.hpp"
#include "measure/core/signal_mask.hpp"

namespace tarry::measure {

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

bool is_of_reserve(const void* memory) {
  const auto* at = static_cast<const char*>(memory);
  return at >= g_reserve && at < g_reserve + kReserveBytes;
}

void* take_from_reserve(std::size_t size) {
  stop_recording_for_lack_of_memory();
  const std::size_t rounded = round_up(size, kAlignment);
  const std::size_t at = g_reserve_used.fetch_add(rounded);
  if (at <= kReserveBytes && rounded <= kReserveBytes - at) return g_reserve + at;
  if (g_way_out && ::pthread_equal(g_way_out->thread, ::pthread_self())) std::longjmp(g_way_out->place, 1);
  std::__throw_bad_alloc();
}

// Within memory that is larger by that.
void* aligned(void* memory, std::size_t alignment) {
  return reinterpret_cast<void*>(round_up(reinterpret_cast<std::uintptr_t>(memory), alignment));
}

void free_memory(void* memory) {
  if (memory && !is_of_reserve(memory)) give_own_memory_back(memory);
}

}  // namespace

bool run_within_memory(void (*work)(RuntimeState&), RuntimeState& state) {
  WayOut way;
  way.thread = ::pthread_self();
  sigset_t mask;
  set_signal_mask(SIG_SETMASK, nullptr, &mask);
  const unsigned char signals = tarry_signal_state;
  g_way_out = &way;
  const bool has_memory = setjmp(way.place) == 0;
  if (has_memory) work(state);
  g_way_out = nullptr;
  if (!has_memory) tarry_signal_state = signals;
  if (!has_memory) set_signal_mask(SIG_SETMASK, &mask, nullptr);
  return has_memory;
}

}  // namespace tarry::measure

// Hidden: the program's own are not touched.
void* operator new(std::size_t size) {
  void* const memory = tarry::measure::take_own_memory(size);
  return memory ? memory : tarry::measure::take_from_reserve(size);
}
void* operator new[](std::size_t size) { return operator new(size); }
void* operator new(std::size_t size, std::align_val_t align) {
  using namespace tarry::measure;
  const auto alignment = static_cast<std::size_t>(align);
  void* const memory = take_own_memory(size, alignment);
  return memory ? memory : aligned(take_from_reserve(size + alignment), alignment);
}
void operator delete(void* memory) noexcept { tarry::measure::free_memory(memory); }
void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { operator delete(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { operator delete(memory); }
void operator delete[](void* memory) noexcept { operator delete(memory); }
void operator delete[](void* memory, std::size_t) noexcept { operator delete(memory); }

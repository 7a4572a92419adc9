// early_log.cpp -- events of a process that has no rank yet.
#include "measure/compiler/early_log.hpp"

#include <sys/mman.h>

#include <atomic>
#include <new>

namespace tarry::measure {

bool EarlyLog::is_mine() {
  static __thread char mark __attribute__((tls_model("initial-exec")));
  static std::atomic<char*> owner = nullptr;
  char* nobody = nullptr;
  return owner.compare_exchange_strong(nobody, &mark) || nobody == &mark;
}

bool EarlyLog::add_slab() {
  if (slabs_ == kMostSlabs) return false;
  void* memory = ::mmap(nullptr, sizeof(Slab), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  auto* slab = static_cast<Slab*>(memory);  // zeros are an empty slab
  (last_ ? last_->next : first_) = slab;
  last_ = slab;
  ++slabs_;
  return true;
}

// A signal handler that comes in between is not recorded.
bool EarlyLog::put(const EarlyEvent& event) {
  if (is_busy_) return false;
  is_busy_ = true;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  const bool is_kept = append(event);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  is_busy_ = false;
  return is_kept;
}

bool EarlyLog::append(const EarlyEvent& event) {
  constexpr std::size_t kPerSlab = sizeof(Slab::events) / sizeof(EarlyEvent);
  if ((!last_ || last_->used == kPerSlab) && !add_slab()) {
    ++lost_;
    return false;
  }
  last_->events[last_->used++] = event;
  return true;
}

void EarlyLog::drop() {
  while (first_) {
    Slab* slab = first_;
    first_ = slab->next;
    ::munmap(slab, sizeof(Slab));
  }
  last_ = nullptr;
  slabs_ = 0;
}

}  // namespace tarry::measure

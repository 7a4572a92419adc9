// sample_stacks.cpp -- takes stacks from the kernel, and keeps those that threads have left.
#include "measure/sampling/sample_stacks.hpp"

#include <sys/mman.h>

#include <cstddef>
#include <utility>

namespace tarry::measure {
namespace {

constexpr std::size_t kStackBytes = 64 << 10, kGuardBytes = 4096;  // memory is taken as deep as samples go

// Lies at the upper end of a stack that nobody uses.
struct FreeStack {
  FreeStack* next;
};
FreeStack* g_free_stacks = nullptr;

}  // namespace

void* take_sample_stack() {
  if (g_free_stacks) return std::exchange(g_free_stacks, g_free_stacks->next) + 1;
  void* const memory = ::mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  ::mprotect(memory, kGuardBytes, PROT_NONE);
  return static_cast<char*>(memory) + kStackBytes;
}

void give_sample_stack_back(void* top) {
  FreeStack* const stack = static_cast<FreeStack*>(top) - 1;
  stack->next = std::exchange(g_free_stacks, stack);
}

}  // namespace tarry::measure

// x86_64_facts.cpp -- whether the TSC is steady; the stack pointer in a jmp_buf of glibc.
#include <cpuid.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstring>

#include "measure/processor/processor.hpp"

namespace tarry::measure::processor {
namespace {

bool has_invariant_tsc() {
  constexpr unsigned kPowerLeaf = 0x80000007, kInvariantTscBit = 1u << 8;
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid(kPowerLeaf, &eax, &ebx, &ecx, &edx) && (edx & kInvariantTscBit);
}

// The kernel strikes the TSC off its list when it sees the cores disagree. Where the list cannot be read, CPUID
// decides.
bool kernel_rejects_tsc() {
  const int file = ::open("/sys/devices/system/clocksource/clocksource0/available_clocksource", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  char text[256];
  const ssize_t size = ::read(file, text, sizeof text - 1);
  ::close(file);
  if (size <= 0) return false;
  text[size] = 0;
  return !std::strstr(text, "tsc");
}

}  // namespace

bool has_steady_counter() { return has_invariant_tsc() && !kernel_rejects_tsc(); }

// The C library hides it.
std::uintptr_t stack_of_jump(const __jmp_buf_tag* target) {
  constexpr int kStackPointer = 6, kRotation = 17;
  std::uintptr_t guard;
  asm("mov %%fs:0x30, %0" : "=r"(guard));
  const auto hidden = static_cast<std::uintptr_t>(target->__jmpbuf[kStackPointer]);
  return ((hidden >> kRotation) | (hidden << (64 - kRotation))) ^ guard;
}

}  // namespace tarry::measure::processor

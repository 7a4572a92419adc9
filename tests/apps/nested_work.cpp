// nested_work.cpp -- ten functions below main(), each of which takes at least a tenth of the time, calls included.
//
// usage: nested_work ROUNDS
#include <cstdlib>

#define PART __attribute__((noinline)) static

// A loop that is equally fast wherever the compiler puts it.
__attribute__((always_inline, no_instrument_function)) static inline void spin(long steps) {
#if defined(__aarch64__)
  asm volatile(".p2align 6\n1:\tmul x9, x9, x9\n\tmul x9, x9, x9\n\tsubs %0, %0, #1\n\tb.ne 1b"
               : "+r"(steps)
               :
               : "x9", "cc");
#else
  asm volatile(".p2align 6\n1:\timul %%rax, %%rax\n\timul %%rax, %%rax\n\tdec %0\n\tjnz 1b"
               : "+r"(steps)
               :
               : "rax", "cc");
#endif
}

static constexpr long kTwentieth = 30'000;

PART void left_leaf() { spin(2 * kTwentieth); }
PART void right_leaf() { spin(2 * kTwentieth); }
PART void twice(void (*leaf)()) {
  leaf();
  spin(kTwentieth);
  leaf();
}
PART void left_branch() {
  left_leaf();
  spin(kTwentieth);
}
PART void right_branch() {
  right_leaf();
  spin(kTwentieth);
}
PART void both_branches() {
  left_branch();
  right_branch();
  spin(kTwentieth);
}
PART void last_leaf() { spin(2 * kTwentieth); }
PART void last_part() {
  twice(last_leaf);
  spin(kTwentieth);
}
PART void step() {
  both_branches();
  last_part();
  spin(kTwentieth);
}
PART void steps(long rounds) {
  for (long round = 0; round < rounds; ++round) step();
}

int main(int, char** argv) {
  steps(std::atol(argv[1]));
  return 0;
}

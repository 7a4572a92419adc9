/* scoped.cpp -- C++ guards of tarry/user.h: blocks, loops, branches, lambdas, templates, exceptions, early returns.
 *
 * Each region must hold what runs in its block, and end with it. Visits below main:
 *   block 1 with inner 1, then inner 1 outside; step=0..2 each with work 1 and inner 1; branch 2 of 4 passes;
 *   lambda 1 with inner 1; twice 2 (two types) with inner 2; thrown 1 with inner 1, caught after it: inner 1 in main;
 *   early 1 with inner 1. Prints "scoped 11", the calls of inner.
 */
#include <tarry/user.h>

#include <cstdio>
#include <stdexcept>

static volatile int calls;
static __attribute__((noinline)) void inner() { ++calls; }

template <class Value>
static __attribute__((noinline)) Value twice(Value value) {
  TARRY_REGION("twice");
  inner();
  return value + value;
}

static __attribute__((noinline)) int early(int value) {
  TARRY_REGION("early");
  inner();
  if (value > 0) return value;
  inner();
  return 0;
}

int main() {
  {
    TARRY_REGION("block");
    inner();
  }
  inner();
  for (int step = 0; step < 3; ++step) {
    TARRY_ITERATION("step", step);
    TARRY_REGION("work");
    inner();
  }
  for (int pass = 0; pass < 4; ++pass)
    if (pass % 2) {
      TARRY_REGION("branch");
      calls = calls + 0;
    }
  [] {
    TARRY_REGION("lambda");
    inner();
  }();
  twice(1);
  twice(1.5);
  try {
    TARRY_REGION("thrown");
    inner();
    throw std::runtime_error("out of the block");
  } catch (const std::exception&) {
    inner();
  }
  early(1);
  std::printf("scoped %d\n", calls);
}

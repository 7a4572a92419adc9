// own_stack_test.cpp -- where a thread's stack lies, with and without memory.
#include "measure/core/own_stack.hpp"

#include <gtest/gtest.h>
#include <pthread.h>

#include "measure/core/memory.hpp"

namespace tarry::measure {
namespace {

bool holds(const OwnStack& stack, const void* place) {
  return reinterpret_cast<std::uintptr_t>(place) - stack.begin < stack.size;
}

void* find_both(void* argument) {
  auto* const both = static_cast<OwnStack*>(argument);
  both[0] = find_own_stack();
  const InHandler here;
  both[1] = find_own_stack();
  return nullptr;
}

TEST(OwnStack, OfAThreadIsTheSameWithoutMemory) {
  OwnStack both[2];
  pthread_t thread;
  ASSERT_EQ(::pthread_create(&thread, nullptr, find_both, both), 0);
  ASSERT_EQ(::pthread_join(thread, nullptr), 0);
  ASSERT_GT(both[0].size, 0u);
  EXPECT_EQ(both[1].begin, both[0].begin);
  EXPECT_LE(both[1].size, both[0].size);
  EXPECT_LE(both[0].size - both[1].size, 64u << 10);  // the thread's own description and variables
}

TEST(OwnStack, OfTheFirstThreadHoldsItsFrames) {
  const int local = 0;
  static const int elsewhere = 0;
  OwnStack both[2];
  find_both(both);
  for (const OwnStack& stack : both) {
    EXPECT_TRUE(holds(stack, &local));
    EXPECT_FALSE(holds(stack, &elsewhere));
    EXPECT_FALSE(holds(stack, reinterpret_cast<const void*>(&find_both)));
  }
}

}  // namespace
}  // namespace tarry::measure

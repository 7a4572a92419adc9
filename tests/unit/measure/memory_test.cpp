// memory_test.cpp -- what signal handlers take of their memory.
#include "measure/core/memory.hpp"

#include <gtest/gtest.h>

namespace tarry::measure {
namespace {

TEST(HandlerMemory, IsAlignedAndKeptByDelete) {
  struct alignas(64) Wide {
    char bytes[100];
  };
  ASSERT_TRUE(prepare_handler_memory());
  const InHandler here;
  const std::size_t used = g_handler_used;
  auto* const wide = new Wide;
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(wide) % 64, 0u);
  EXPECT_GE(g_handler_used, used + sizeof(Wide));
  delete wide;
}

}  // namespace
}  // namespace tarry::measure

// process_budget_test.cpp -- what --memory means to the threads of a process.
#include "exchange/process_budget.hpp"

#include <gtest/gtest.h>

namespace tarry {
namespace {

TEST(ProcessBudget, NoneWithoutALimit) {
  Exchange alone;
  const auto budget = process_budget(0, alone);
  ASSERT_TRUE(budget.ok());
  EXPECT_EQ(budget.value(), nullptr);
}

TEST(ProcessBudget, LittleMemoryIsForFewWorkers) {
  EXPECT_EQ(workers_within(0, 64), 64u);
  EXPECT_EQ(workers_within(std::uint64_t{64} << 20, 64), 8u);
  EXPECT_EQ(workers_within(std::uint64_t{256} << 20, 16), 16u);
  EXPECT_EQ(workers_within(1, 4), 1u);
}

}  // namespace
}  // namespace tarry

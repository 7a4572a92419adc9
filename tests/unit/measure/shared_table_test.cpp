// shared_table_test.cpp -- numbers of other libraries, and what they are here.
#include "measure/annotations-layer/shared_table.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace tarry::measure {
namespace {

TEST(SharedTable, KeepsAValueUntilItIsTaken) {
  SharedTable<64> table;
  EXPECT_EQ(table.get(7), 0u);
  EXPECT_TRUE(table.put(7, 70));
  EXPECT_TRUE(table.put(0, 1));
  EXPECT_EQ(table.get(7), 70u);
  EXPECT_TRUE(table.put(7, 71));
  EXPECT_EQ(table.take(7), 71u);
  EXPECT_EQ(table.get(7), 0u);
  EXPECT_EQ(table.take(7), 0u);
  EXPECT_EQ(table.get(0), 1u);
}

TEST(SharedTable, HasNoRoomForTheGreatestKey) {
  SharedTable<64> table;
  ASSERT_TRUE(table.put(3, 30));
  EXPECT_EQ(table.take(3), 30u);
  EXPECT_FALSE(table.put(~std::uint64_t{0}, 1));
  EXPECT_EQ(table.get(~std::uint64_t{0}), 0u);
  EXPECT_EQ(table.take(~std::uint64_t{0}), 0u);
}

TEST(SharedTable, SaysSoWhenThereIsNoRoom) {
  const auto table = std::make_unique<SharedTable<64>>();
  std::size_t kept = 0;
  for (std::uint64_t key = 0; key < 1000; ++key) kept += table->put(key, key + 1);
  EXPECT_GT(kept, 30u);
  EXPECT_LE(kept, 64u);
  std::size_t found = 0;
  for (std::uint64_t key = 0; key < 1000; ++key) found += table->get(key) == key + 1;
  EXPECT_EQ(found, kept) << "what is told to be kept is there, and nothing else";
}

}  // namespace
}  // namespace tarry::measure

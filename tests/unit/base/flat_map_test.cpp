// flat_map_test.cpp -- entries survive growth, reservation and the removal of others.
#include "base/arrays/flat_map.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace tarry {
namespace {

TEST(FlatMap, FindsWhatWasInserted) {
  FlatMap<std::uint64_t, double> map;
  for (std::uint64_t key = 0; key < 1000; ++key) map.insert(key * 64, 0) += static_cast<double>(key);
  ASSERT_EQ(map.size(), 1000u);
  for (std::uint64_t key = 0; key < 1000; ++key) EXPECT_EQ(*map.find(key * 64), static_cast<double>(key));
  EXPECT_EQ(map.find(1), nullptr);
}

TEST(FlatMap, KeepsEntriesWhenItReserves) {
  FlatMap<std::uint64_t, int> map;
  map.insert(7, 1);
  map.reserve(100);
  const int* before = map.find(7);
  ASSERT_NE(before, nullptr);
  for (std::uint64_t key = 100; key < 199; ++key) map.insert(key, 2);
  EXPECT_EQ(map.find(7), before) << "the map moved although there was room";
  EXPECT_EQ(*before, 1);
}

TEST(FlatMap, FindsTheOthersAfterAnErasure) {
  FlatMap<std::uint64_t, std::uint64_t> map;
  for (std::uint64_t key = 0; key < 500; ++key) map.insert(key, key);
  for (std::uint64_t key = 0; key < 500; key += 2) EXPECT_TRUE(map.erase(key));
  EXPECT_FALSE(map.erase(0));
  for (std::uint64_t key = 0; key < 500; ++key) EXPECT_EQ(map.find(key) != nullptr, key % 2 == 1);
}

}  // namespace
}  // namespace tarry

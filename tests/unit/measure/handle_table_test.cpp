// handle_table_test.cpp -- handles against a multimap.
#include "measure/mpi/handle_table.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <random>

namespace tarry::measure {
namespace {

using Handle = const void*;

Handle handle(std::uintptr_t number) { return reinterpret_cast<Handle>(number * 16 + 4096); }

TEST(HandleTable, EmptyTableKnowsNothing) {
  HandleTable<Handle, int> table;
  EXPECT_EQ(table.find(handle(1)), nullptr);
}

TEST(HandleTable, EqualHandlesComeOutInTheOrderTheyWentIn) {
  HandleTable<Handle, int> table;
  for (int i = 0; i < 100; ++i) table.add(handle(7), i);
  for (int i = 0; i < 100; ++i) {
    int* oldest = table.find(handle(7));
    ASSERT_NE(oldest, nullptr);
    EXPECT_EQ(*oldest, i);
    table.remove(handle(7), oldest);
  }
  EXPECT_EQ(table.find(handle(7)), nullptr);
}

TEST(HandleTable, APreferredEntryIsFoundNearTheFront) {
  HandleTable<Handle, int> table;
  for (int i = 0; i < 100; ++i) table.add(handle(7), i);
  int* found = table.find(handle(7), [](int value) { return value == 5; });
  EXPECT_EQ(*found, 5);
  table.remove(handle(7), found);
  EXPECT_EQ(*table.find(handle(7), [](int value) { return value == 5; }), 0);
  EXPECT_EQ(*table.find(handle(7), [](int value) { return value == 99; }), 0) << "too far: the oldest";
}

TEST(HandleTable, AgreesWithAMultimapOnRandomUse) {
  std::mt19937 random(3);
  HandleTable<Handle, int> table;
  std::map<Handle, std::deque<int>> expected;
  for (int step = 0; step < 200'000; ++step) {
    const Handle key = handle(random() % 300);
    if (random() % 2) {
      table.add(key, step);
      expected[key].push_back(step);
    } else if (int* found = table.find(key)) {
      ASSERT_FALSE(expected[key].empty());
      ASSERT_EQ(*found, expected[key].front());
      table.remove(key, found);
      expected[key].pop_front();
    } else {
      ASSERT_TRUE(expected[key].empty());
    }
  }
}

}  // namespace
}  // namespace tarry::measure

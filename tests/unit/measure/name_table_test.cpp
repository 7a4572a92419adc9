// name_table_test.cpp -- one item for each name, whichever thread names it first.
#include "measure/user/name_table.hpp"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace tarry::measure {
namespace {

struct Named {
  Named(std::string_view text, int given_number) : name(text), number(given_number) {}
  const std::string name;
  const int number;
};

TEST(NameTable, FindsWhatWasMade) {
  NameTable<Named> table{};
  EXPECT_EQ(table.find("solve"), nullptr);
  Named& made = table.find_or_make("solve", 1);
  EXPECT_EQ(&table.find_or_make("solve", 2), &made);
  EXPECT_EQ(table.find("solve"), &made);
  EXPECT_EQ(made.number, 1);
  EXPECT_NE(&table.find_or_make("solve ", 3), &made);
  int items = 0;
  table.for_each([&items](const Named&) { ++items; });
  EXPECT_EQ(items, 2);
}

TEST(NameTable, ThreadsGetTheSameItem) {
  constexpr int kThreads = 4, kNames = 3000;
  NameTable<Named> table{};
  std::vector<std::vector<const Named*>> found(kThreads);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread)
    threads.emplace_back([&table, &mine = found[static_cast<std::size_t>(thread)], thread] {
      for (int i = 0; i < kNames; ++i) mine.push_back(&table.find_or_make(std::to_string(i), thread));
    });
  for (std::thread& thread : threads) thread.join();
  for (const auto& one : found) EXPECT_EQ(one, found[0]);
  int items = 0;
  table.for_each([&items](const Named&) { ++items; });
  EXPECT_EQ(items, kNames);
}

}  // namespace
}  // namespace tarry::measure

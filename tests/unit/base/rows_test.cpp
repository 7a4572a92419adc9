// rows_test.cpp -- arrays that grow through every kind of memory they may lie in.
#include "base/arrays/rows.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <thread>
#include <vector>

namespace tarry {
namespace {

struct Record {
  std::uint64_t value = 7;
  std::uint32_t other = 0;
};

// Some 48 MB: from the heap through several mappings.
constexpr std::size_t kMany = 3'000'000;

bool holds_what_was_put() {
  Rows<Record> rows;
  for (std::size_t i = 0; i < kMany; ++i) rows.push_back({i * 3, static_cast<std::uint32_t>(i)});
  rows.finish();
  for (std::size_t i = 0; i < kMany; ++i)
    if (rows[i].value != i * 3 || rows[i].other != i) return false;
  return rows.size() == kMany;
}

TEST(Rows, KeepsEverythingWhileItGrows) { EXPECT_TRUE(holds_what_was_put()); }

TEST(Rows, ResizesWithDefaultsAndMoves) {
  Rows<Record> rows;
  rows.resize(3);
  rows.push_back({1, 2});
  Rows<Record> moved = std::move(rows);
  EXPECT_EQ(moved.size(), 4u);
  EXPECT_EQ(moved[2].value, 7u);
  EXPECT_EQ(moved.back().value, 1u);
  EXPECT_TRUE(rows.empty());
  moved.clear();
  EXPECT_TRUE(moved.empty());
  moved.emplace_back();
  EXPECT_EQ(moved.back().value, 7u);
}

// More than one chunk of complete arrays, given back in another order than they came; some grow on afterwards.
TEST(Rows, CompleteArraysKeepWhatTheyHold) {
  std::vector<Rows<std::uint64_t>> arrays(300);
  for (std::uint64_t a = 0; a < arrays.size(); ++a) {
    for (std::uint64_t i = 0; i <= a * 37; ++i) arrays[a].push_back(a ^ (i << 20));
    arrays[a].finish();
  }
  for (std::size_t a = 0; a < arrays.size(); a += 3) arrays[a].clear();
  for (std::size_t a = 1; a < arrays.size(); a += 3) arrays[a].push_back(42);
  for (std::uint64_t a = 0; a < arrays.size(); ++a) {
    if (a % 3 == 0) continue;
    ASSERT_EQ(arrays[a].size(), a * 37 + (a % 3 == 1 ? 2 : 1));
    for (std::uint64_t i = 0; i <= a * 37; ++i) ASSERT_EQ(arrays[a][i], a ^ (i << 20));
  }
}

// Blocks and chunks belong to threads, which may be gone when their arrays are read and released.
TEST(Rows, ArraysOutliveTheThreadThatFilledThem) {
  std::vector<Rows<int>> arrays(3000);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 3; ++t)
    threads.emplace_back([&, t] {
      for (std::size_t a = t; a < arrays.size(); a += 3) {
        for (int i = 0; i < 1000; ++i) arrays[a].push_back(static_cast<int>(a) + i);
        arrays[a].finish();
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t a = 0; a < arrays.size(); ++a)
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(arrays[a][static_cast<std::size_t>(i)], static_cast<int>(a) + i);
  std::thread([&] { arrays.erase(arrays.begin() + 1500, arrays.end()); }).join();
  EXPECT_EQ(arrays[1499][999], 1499 + 999);
}

TEST(Rows, AnElementOfItselfMayBeAdded) {
  Rows<std::uint64_t> rows;
  rows.push_back(42);
  for (int i = 0; i < 400'000; ++i) rows.push_back(rows[0]);
  EXPECT_EQ(rows.back(), 42u);
}

// From the heap through parts and blocks of pages; some grow on after they were complete.
TEST(Rows, KeepEverythingWithinABudget) {
  auto budget = MemoryBudget::create(1, std::filesystem::temp_directory_path().string());
  ASSERT_TRUE(budget.ok());
  std::vector<Rows<std::uint64_t>> arrays = rows_of<std::uint64_t>(40, budget->get());
  for (std::uint64_t a = 0; a < arrays.size(); ++a) {
    EXPECT_EQ(arrays[a].budget(), budget->get());
    for (std::uint64_t i = 0; i <= a * a * 60; ++i) arrays[a].push_back(a ^ (i << 20));
    arrays[a].finish();
  }
  for (std::size_t a = 0; a < arrays.size(); a += 3) arrays[a].clear();
  for (std::size_t a = 1; a < arrays.size(); a += 3) arrays[a].push_back(42);
  for (std::uint64_t a = 0; a < arrays.size(); ++a) {
    if (a % 3 == 0) continue;
    ASSERT_EQ(arrays[a].size(), a * a * 60 + (a % 3 == 1 ? 2 : 1));
    for (std::uint64_t i = 0; i <= a * a * 60; ++i) ASSERT_EQ(arrays[a][i], a ^ (i << 20));
  }
}

TEST(Rows, OfKnownSizeKeepEverythingWithinABudget) {
  auto budget = MemoryBudget::create(1, std::filesystem::temp_directory_path().string());
  ASSERT_TRUE(budget.ok());
  for (const std::size_t size : {1u, 400u, 5'000u, 100'000u, 3'000'000u}) {
    Rows<Record> rows(budget->get());
    rows.resize(size);
    Rows<Record> moved = std::move(rows);
    for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(moved[i].value, 7u);
    rows.push_back({1, 2});
    EXPECT_EQ(rows.budget(), budget->get());
    moved = std::move(rows);
    EXPECT_EQ(moved.back().other, 2u);
  }
}

}  // namespace
}  // namespace tarry

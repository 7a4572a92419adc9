// suspended_paths_test.cpp -- tasks of OpenMP that run while others wait.
#include "measure/core/suspended_paths.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/unit/measure/profile_paths.hpp"

namespace tarry::measure {
namespace {

// 0: the program, 1: a parallel region, 2: a function, 3: taskwait, 4 and 5: tasks.
TEST(SuspendedPaths, TasksOfAConstructShareOnePathHoweverTheyWaitForEachOther) {
  ProfileTree tree;
  tree.enter(0, RegionId(0));
  tree.enter(10, RegionId(1));
  tree.mark_parallel();
  tree.enter(11, RegionId(2));
  tree.enter(12, RegionId(3));
  tree.enter_task(20, RegionId(4));
  tree.enter(21, RegionId(2));
  tree.enter(23, RegionId(3));
  tree.enter_task(30, RegionId(4));
  tree.enter(31, RegionId(2));
  tree.leave(34);
  ByteWriter bytes;
  ASSERT_TRUE(tree.encode_so_far(35, bytes));
  const auto so_far = paths_in(bytes);
  EXPECT_EQ(so_far.at("0").time, 35);
  EXPECT_EQ(so_far.at("0/1/4").time, 10 + 5);
  EXPECT_EQ(so_far.at("0/1/2").time, 9);
  tree.leave(36);
  tree.enter_task(40, RegionId(5));
  tree.leave(42);
  EXPECT_EQ(tree.depth(), 7u);
  tree.leave(50);
  tree.leave(51);
  tree.leave(52);
  EXPECT_EQ(tree.depth(), 4u);
  tree.enter_task(60, RegionId(4));
  tree.leave(63);
  tree.leave(70);
  tree.leave(71);
  tree.leave(80);
  tree.leave(100);
  const auto paths = paths_of(tree);
  EXPECT_EQ(paths.size(), 8u);
  EXPECT_EQ(paths.at("0").time, 100);
  EXPECT_EQ(paths.at("0/1").time, 70);
  EXPECT_EQ(paths.at("0/1/2").time, 60 - 32 - 3);
  EXPECT_EQ(paths.at("0/1/2/3").time, 58 - 32 - 3);
  EXPECT_EQ(paths.at("0/1/4").visits, 3u);
  EXPECT_EQ(paths.at("0/1/4").time, (32 - 6 - 2) + 6 + 3);
  EXPECT_EQ(paths.at("0/1/4").min_time, 3);
  EXPECT_EQ(paths.at("0/1/4").max_time, 24);
  EXPECT_EQ(paths.at("0/1/4/2").time, (30 - 6 - 2) + 3);
  EXPECT_EQ(paths.at("0/1/4/2/3").time, 27 - 6 - 2);
  EXPECT_EQ(paths.at("0/1/5").time, 2);
}

TEST(SuspendedPaths, TasksThatAreOpenAtTheEndAreLeft) {
  ProfileTree tree;
  tree.enter(0, RegionId(0));
  tree.enter(1, RegionId(3));
  tree.enter_task(5, RegionId(4));
  tree.enter(6, RegionId(3));
  tree.enter_task(8, RegionId(4));
  tree.close(10);
  const auto paths = paths_of(tree);
  EXPECT_EQ(paths.at("0").time, 10);
  EXPECT_EQ(paths.at("0/3").time, 4);
  EXPECT_EQ(paths.at("0/4").time, 2 + 3);
  EXPECT_EQ(paths.at("0/4").min_time, 2);
  EXPECT_EQ(paths.at("0/4/3").time, 2);
}

std::size_t mapped_pages() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages;
}

TEST(SuspendedPaths, ReleaseGivesBackWhatTasksHaveTaken) {
  constexpr int kTrees = 200;
  const auto run_tasks = [] {
    ProfileTree tree;
    tree.enter(0, RegionId(0));
    tree.enter(1, RegionId(3));
    tree.enter_task(5, RegionId(4));
    tree.close(10);
    paths_of(tree);
    tree.release();
  };
  run_tasks();
  const std::size_t before = mapped_pages();
  for (int i = 0; i < kTrees; ++i) run_tasks();
  EXPECT_LT(mapped_pages(), before + kTrees);
}

}  // namespace
}  // namespace tarry::measure

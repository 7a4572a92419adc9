// call_tree_test.cpp -- call paths are made once and keep their place.
#include "replay/trees/call_tree.hpp"

#include <gtest/gtest.h>

namespace tarry {
namespace {

TEST(CallTree, TheSamePathIsTheSameNode) {
  CallTree tree;
  EXPECT_EQ(tree.first_root(), kNoPath);
  const PathIndex main = tree.child(kNoPath, RegionId(7));
  const PathIndex left = tree.child(main, RegionId(1)), right = tree.child(main, RegionId(2));
  EXPECT_NE(left, right);
  EXPECT_EQ(tree.child(main, RegionId(1)), left);
  EXPECT_EQ(tree.child(main, RegionId(2)), right);
  EXPECT_EQ(tree.child(kNoPath, RegionId(7)), main);
  EXPECT_NE(tree.child(left, RegionId(2)), right);
  EXPECT_EQ(tree.size(), 4u);
  EXPECT_EQ(tree.first_root(), main);
}

TEST(CallTree, ChildrenStandInOrderOfFirstAppearanceBehindTheirParent) {
  CallTree tree;
  const PathIndex main = tree.child(kNoPath, RegionId(0));
  for (const std::uint32_t region : {5u, 3u, 5u, 9u, 3u}) {
    const PathIndex child = tree.child(main, RegionId(region));
    EXPECT_GT(child, main);
    EXPECT_EQ(tree[child].parent, main);
  }
  std::vector<std::uint32_t> order;
  for (PathIndex c = tree[main].first_child; c != kNoPath; c = tree[c].next_sibling)
    order.push_back(tree[c].region.value);
  EXPECT_EQ(order, (std::vector<std::uint32_t>{5, 3, 9}));
}

// As the body of a loop does: each time after the last one comes the first again.
TEST(CallTree, ChildrenThatAreAskedForInTurn) {
  CallTree tree;
  const PathIndex main = tree.child(kNoPath, RegionId(0));
  std::vector<PathIndex> first_round;
  for (const std::uint32_t region : {4u, 2u, 9u}) first_round.push_back(tree.child(main, RegionId(region)));
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(tree.child(main, RegionId(4)), first_round[0]);
    EXPECT_EQ(tree.child(main, RegionId(2)), first_round[1]);
    EXPECT_EQ(tree.child(main, RegionId(9)), first_round[2]);
    EXPECT_EQ(tree.child(main, RegionId(2)), first_round[1]);
    tree.finish();
  }
  EXPECT_EQ(tree.child(main, RegionId(7)), 4u);
  EXPECT_EQ(tree.size(), 5u);
}

TEST(CallTree, SeveralRoots) {
  CallTree tree;
  const PathIndex first = tree.child(kNoPath, RegionId(1)), second = tree.child(kNoPath, RegionId(2));
  EXPECT_EQ(tree.child(kNoPath, RegionId(1)), first);
  EXPECT_EQ(tree.child(kNoPath, RegionId(2)), second);
  EXPECT_EQ(tree[first].next_sibling, second);
}

// A program that calls so many functions from one place; looking through all siblings each time would take hours.
TEST(CallTree, AMillionSiblings) {
  constexpr std::uint32_t kSiblings = 1'000'000;
  CallTree tree;
  const PathIndex main = tree.child(kNoPath, RegionId(0)), other = tree.child(kNoPath, RegionId(1));
  for (int round = 0; round < 2; ++round)
    for (std::uint32_t r = 0; r < kSiblings; ++r) {
      ASSERT_EQ(tree.child(main, RegionId(r)), 2 + 2 * r);
      ASSERT_EQ(tree.child(other, RegionId(r)), 3 + 2 * r);
    }
  EXPECT_EQ(tree.size(), 2 + 2 * kSiblings);
  std::uint32_t count = 0;
  for (PathIndex c = tree[other].first_child; c != kNoPath; c = tree[c].next_sibling, ++count)
    ASSERT_EQ(tree[c].region.value, count);
  EXPECT_EQ(count, kSiblings);
}

TEST(CallTree, AMillionRoots) {
  CallTree tree;
  for (int round = 0; round < 2; ++round)
    for (std::uint32_t r = 0; r < 1'000'000; ++r) ASSERT_EQ(tree.child(kNoPath, RegionId(r)), r);
  EXPECT_EQ(tree[999'998].next_sibling, 999'999u);
}

}  // namespace
}  // namespace tarry

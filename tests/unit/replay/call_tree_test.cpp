// call_tree_test.cpp -- call paths are made once and keep their place.
#include "replay/call_tree.hpp"

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

TEST(CallTree, SeveralRoots) {
  CallTree tree;
  const PathIndex first = tree.child(kNoPath, RegionId(1)), second = tree.child(kNoPath, RegionId(2));
  EXPECT_EQ(tree.child(kNoPath, RegionId(1)), first);
  EXPECT_EQ(tree.child(kNoPath, RegionId(2)), second);
  EXPECT_EQ(tree[first].next_sibling, second);
}

}  // namespace
}  // namespace tarry

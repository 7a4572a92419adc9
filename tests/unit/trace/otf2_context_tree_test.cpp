// otf2_context_tree_test.cpp -- calling contexts that are written.
#include "trace/otf2/otf2_context_tree.hpp"

#include <gtest/gtest.h>

namespace tarry {
namespace {

constexpr std::uint32_t kRoot = Otf2ContextTree::kNone;

TEST(Otf2ContextTree, OneRegionBelowDifferentParentsIsSeveralContexts) {
  Otf2ContextTree tree;
  const std::uint32_t main = tree.find(kRoot, RegionId(7)), solve = tree.find(main, RegionId(3));
  const std::uint32_t inner = tree.find(solve, RegionId(7));
  EXPECT_NE(inner, main);
  EXPECT_EQ(tree.find(kRoot, RegionId(7)), main);
  EXPECT_EQ(tree.find(solve, RegionId(7)), inner);
  ASSERT_EQ(tree.nodes().size(), 3u);
  EXPECT_EQ(tree.nodes()[inner].parent, solve);
  EXPECT_EQ(tree.nodes()[inner].region, RegionId(7));
}

TEST(Otf2ContextTree, AddsTheTreeOfAnotherLocation) {
  Otf2ContextTree all, other;
  all.find(all.find(kRoot, RegionId(1)), RegionId(2));
  const std::uint32_t thread = other.find(kRoot, RegionId(5)), main = other.find(kRoot, RegionId(1));
  const std::uint32_t known = other.find(main, RegionId(2)), unknown = other.find(thread, RegionId(2));
  const std::vector<std::uint64_t> numbers = all.add(other);
  ASSERT_EQ(numbers.size(), 4u);
  EXPECT_EQ(numbers[main], 0u);
  EXPECT_EQ(numbers[known], 1u);
  EXPECT_EQ(numbers[thread], 2u);
  EXPECT_EQ(numbers[unknown], 3u);
  EXPECT_EQ(all.nodes()[3].parent, 2u);
}

TEST(Otf2ContextTree, PathsHaveALargestDepth) {
  Otf2ContextTree tree;
  std::uint32_t node = kRoot;
  for (std::uint32_t depth = 0; depth < Otf2ContextTree::kDeepest; ++depth) node = tree.find(node, RegionId(0));
  ASSERT_NE(node, kRoot);
  EXPECT_EQ(tree.find(node, RegionId(0)), Otf2ContextTree::kNone);
  EXPECT_EQ(tree.nodes().size(), Otf2ContextTree::kDeepest);
}

}  // namespace
}  // namespace tarry

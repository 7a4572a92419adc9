// path_values_test.cpp -- values that are added and forgotten.
#include "measure/core/path_values.hpp"

#include <gtest/gtest.h>

#include "measure/core/profile_tree.hpp"
#include "tests/unit/measure/profile_paths.hpp"

namespace tarry::measure {
namespace {

TEST(PathValues, SumsAreAddedWithTheirBounds) {
  PathNode root;
  ProfileSlabs slabs(root);
  PathValues values(slabs);
  PathNode& one = *slabs.new_path();
  PathNode& other = *slabs.new_path();
  one.visits = 2, one.time = 10, one.min_time = 3, one.max_time = 7;
  other.visits = 1, other.time = 2, other.min_time = other.max_time = 2;
  values.transfers_of(other)[Transfer::kSends] = 4;
  values.add(one, other);
  EXPECT_EQ(one.visits, 3u);
  EXPECT_EQ(one.time, 12);
  EXPECT_EQ(one.min_time, 2);
  EXPECT_EQ(one.max_time, 7);
  EXPECT_EQ(values.transfers_of(one)[Transfer::kSends], 4u);
  values.clear(other);
  EXPECT_EQ(other.visits, 0u);
  EXPECT_GT(other.min_time, other.max_time);
  EXPECT_EQ(values.transfers_of(other)[Transfer::kSends], 0u);
  slabs.release();
}

TEST(PathValues, ForgottenPathsAreGone) {
  ProfileTree tree;
  tree.enter(0, RegionId(0));
  tree.enter(0, RegionId(1));
  PathNode* const path = tree.open_path();
  tree.enter(0, RegionId(2));
  tree.leave(5);
  tree.leave(5);
  tree.forget(*path);
  EXPECT_EQ(paths_of(tree).size(), 1u);
  tree.enter(6, RegionId(1));
  tree.leave(8);
  tree.close(10);
  EXPECT_EQ(paths_of(tree).at("0/1").time, 2);
}

}  // namespace
}  // namespace tarry::measure

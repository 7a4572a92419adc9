// profile_encoder_test.cpp -- what a profile holds while regions are open.
#include "measure/core/profile_encoder.hpp"

#include <gtest/gtest.h>

#include "measure/core/profile_tree.hpp"
#include "tests/unit/measure/profile_paths.hpp"

namespace tarry::measure {
namespace {

TEST(ProfileEncoder, EncodesWhatIsOpenAsIfItEndedAndGoesOn) {
  ProfileTree tree;
  tree.enter(100, RegionId(0));
  tree.enter(110, RegionId(1));
  tree.leave(115);
  tree.enter(120, RegionId(1));
  ByteWriter bytes;
  ASSERT_TRUE(tree.encode_so_far(150, bytes));
  const auto so_far = paths_in(bytes);
  EXPECT_EQ(so_far.at("0").time, 50);
  EXPECT_EQ(so_far.at("0").min_time, 50);
  EXPECT_EQ(so_far.at("0/1").visits, 2u);
  EXPECT_EQ(so_far.at("0/1").time, 35);
  EXPECT_EQ(so_far.at("0/1").min_time, 5);
  EXPECT_EQ(so_far.at("0/1").max_time, 30);
  tree.leave(121);
  tree.leave(200);
  const auto paths = paths_of(tree);
  EXPECT_EQ(paths.at("0").time, 100);
  EXPECT_EQ(paths.at("0/1").time, 6);
  EXPECT_EQ(paths.at("0/1").max_time, 5);
}

TEST(ProfileEncoder, ARunningIterationIsNotEndedByEncodingSoFar) {
  ProfileTree one, other;
  for (ProfileTree* tree : {&one, &other}) {
    tree->enter(0, RegionId(0));
    for (int i = 0; i < 5; ++i) {
      tree->begin_iteration(RegionId(7), 1000 + i, 4);
      tree->enter(10 * i + 1, RegionId(7));
      ByteWriter bytes;
      if (tree == &one) {
        EXPECT_TRUE(tree->encode_so_far(10 * i + 2, bytes));
      }
      tree->leave(10 * i + 6);
    }
    tree->leave(100);
  }
  ByteWriter with, without;
  one.encode(with);
  other.encode(without);
  EXPECT_EQ(with.bytes(), without.bytes());
}

}  // namespace
}  // namespace tarry::measure

// profile_tree_test.cpp -- visits, times and transfers of call paths.
#include "measure/core/profile_tree.hpp"

#include <gtest/gtest.h>

#include "tests/unit/measure/profile_paths.hpp"

namespace tarry::measure {
namespace {

TEST(ProfileTree, SumsVisitsTimesAndBytes) {
  ProfileTree tree;
  tree.enter(100, RegionId(0));
  for (int i = 0; i < 3; ++i) {
    tree.enter(110 + 20 * i, RegionId(1));
    tree.count_send(CommId(0), CommRank(0), 8);
    tree.leave(111 + 20 * i + i);
    tree.enter(115 + 20 * i, RegionId(2));
    tree.count_receive(16);
    tree.leave(119 + 20 * i);
  }
  tree.leave(200);
  const auto paths = paths_of(tree);
  ASSERT_EQ(paths.size(), 3u);
  EXPECT_EQ(paths.at("0").visits, 1u);
  EXPECT_EQ(paths.at("0").time, 100);
  EXPECT_EQ(paths.at("0/1").visits, 3u);
  EXPECT_EQ(paths.at("0/1").time, 6);
  EXPECT_EQ(paths.at("0/1").min_time, 1);
  EXPECT_EQ(paths.at("0/1").max_time, 3);
  EXPECT_EQ(paths.at("0/1").transfers[Transfer::kBytesSent], 24u);
  EXPECT_EQ(paths.at("0/1").transfers[Transfer::kSends], 3u);
  EXPECT_EQ(paths.at("0/2").time, 12);
  EXPECT_EQ(paths.at("0/2").transfers[Transfer::kBytesReceived], 48u);
}

// A sample in front of an enter whose time is that of an earlier call.
TEST(ProfileTree, ATimeBeforeTheLatestEventIsRaised) {
  ProfileTree tree;
  tree.enter(100, RegionId(1));
  tree.enter(40, RegionId(2));
  tree.leave(130);
  tree.leave(120);
  const auto paths = paths_of(tree);
  EXPECT_EQ(paths.at("1").time, 30);
  EXPECT_EQ(paths.at("1/2").time, 30);
}

TEST(ProfileTree, AVisitOfSeveralCallsCountsAsSoManyOfTheSameLength) {
  ProfileTree tree;
  tree.enter(100, RegionId(0));
  tree.enter(110, RegionId(1));
  tree.leave(113);
  tree.visit(120, RegionId(1), 25, 10);
  tree.visit(150, RegionId(1), 2, 1);
  tree.leave(200);
  const auto paths = paths_of(tree);
  EXPECT_EQ(paths.at("0/1").visits, 12u);
  EXPECT_EQ(paths.at("0/1").time, 30);
  EXPECT_EQ(paths.at("0/1").min_time, 2);
  EXPECT_EQ(paths.at("0/1").max_time, 3);
  EXPECT_EQ(paths.at("0/1").trace_events, 3 * 2 + 1u);
}

}  // namespace
}  // namespace tarry::measure

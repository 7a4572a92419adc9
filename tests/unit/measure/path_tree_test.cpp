// path_tree_test.cpp -- which call path an enter finds, and its order among siblings.
#include "measure/core/path_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "archive/profile/profile_codec.hpp"
#include "measure/core/profile_tree.hpp"
#include "tests/unit/measure/profile_paths.hpp"

namespace tarry::measure {
namespace {

TEST(PathTree, RecursionMakesDeeperPathsAndCloseLeavesThem) {
  ProfileTree tree;
  for (int depth = 0; depth < 5000; ++depth) tree.enter(depth, RegionId(4));
  tree.close(10'000);
  const auto paths = paths_of(tree);
  EXPECT_EQ(paths.size(), 5000u);
  EXPECT_EQ(paths.at("4").time, 10'000);
  EXPECT_EQ(paths.at("4/4").time, 9'999);
}

TEST(PathTree, ManyChildrenAreToldApart) {
  ProfileTree tree;
  tree.enter(0, RegionId(0));
  for (int round = 0; round < 3; ++round)
    for (std::uint32_t region = 1; region <= 2000; ++region) {
      tree.enter(region, RegionId(region));
      tree.leave(region + 1);
    }
  tree.close(5000);
  const auto paths = paths_of(tree);
  ASSERT_EQ(paths.size(), 2001u);
  for (const auto& [name, node] : paths) EXPECT_EQ(node.visits, name == "0" ? 1u : 3u) << name;
}

TEST(PathTree, AWorkersRegionsAreBelowAPathOfAnotherThread) {
  ProfileTree forker, worker;
  forker.enter(0, RegionId(0));
  const std::uint64_t first = forker.mark_fork();
  forker.enter(10, RegionId(1));
  const std::uint64_t nested = forker.mark_fork();
  Ticks time = 20;
  for (const std::uint64_t fork : {first, nested, first}) {
    worker.begin_team(fork);
    worker.enter(time, RegionId(5));
    worker.add_management(*worker.open_path(), Transfer::kForkTime, 7);
    EXPECT_EQ(worker.depth(), 1u);
    worker.leave(time += 2);
    worker.end_team();
  }
  worker.begin_team(nested);
  worker.enter(30, RegionId(5));
  worker.close(33);
  forker.close(40);
  ByteWriter of_forker, of_worker;
  forker.encode(of_forker);
  worker.encode(of_worker);
  const Profile forks = decode_profile(of_forker.bytes()).value(), teams = decode_profile(of_worker.bytes()).value();
  ASSERT_EQ(forks.forks.size(), 2u);
  ASSERT_EQ(teams.teams.size(), 2u);
  ASSERT_EQ(teams.nodes.size(), 2u);
  for (const ForkPlace& team : teams.teams) {
    const bool is_nested = team.fork == forks.forks[1].fork;
    EXPECT_EQ(forks.nodes[forks.forks[is_nested].node].region, is_nested ? 1u : 0u);
    const ProfileNode& node = teams.nodes[team.node];
    EXPECT_EQ(node.parent, ProfileNode::kNoParent);
    EXPECT_EQ(node.visits, 2u);
    EXPECT_EQ(node.time, is_nested ? 2 + 7 + 3 : 2 * (2 + 7));
    EXPECT_EQ(node.transfers[Transfer::kForkTime], is_nested ? 7u : 14u);
  }
  EXPECT_EQ(ProfileTree().mark_fork(), 0u);
}

// A program that calls so many functions from one place; walking through all siblings each time would take hours.
TEST(PathTree, AMillionSiblings) {
  constexpr std::uint32_t kSiblings = 1'000'000;
  ProfileTree tree;
  tree.enter(0, RegionId(0));
  for (int round = 0; round < 2; ++round)
    for (std::uint32_t region = 1; region <= kSiblings; ++region) {
      tree.enter(region, RegionId(region));
      tree.leave(region + 1);
    }
  tree.leave(kSiblings + 1);
  ByteWriter bytes;
  tree.encode(bytes);
  const auto profile = decode_profile(bytes.bytes());
  ASSERT_TRUE(profile.ok());
  ASSERT_EQ(profile.value().nodes.size(), kSiblings + 1);
  for (std::uint32_t i = 1; i <= kSiblings; ++i) {
    ASSERT_EQ(profile.value().nodes[i].region, i);
    ASSERT_EQ(profile.value().nodes[i].visits, 2u);
  }
}

// As in a loop that calls some functions in turns, where others were called before it.
TEST(PathTree, TheSiblingThatFollowedTheLastTimeIsFoundAtOnce) {
  for (const std::uint32_t before : {0u, 1u, 2u, 20u, 100u})
    for (const std::uint32_t members : {1u, 2u, 3u, 7u}) {
      ProfileTree tree;
      tree.enter(0, RegionId(0));
      Ticks time = 0;
      const auto visit = [&](std::uint32_t region) {
        tree.enter(++time, RegionId(region));
        tree.leave(++time);
      };
      for (std::uint32_t i = 0; i < before; ++i) visit(100 + i);
      for (std::uint32_t i = 0; i < members; ++i) visit(1 + i);
      visit(1);
      for (std::uint32_t i = 1; i < 3 * members; ++i) {
        ASSERT_TRUE(tree.enter_quickly(++time, RegionId(1 + i % members))) << before << " " << members << " " << i;
        ASSERT_TRUE(tree.leave_quickly(++time));
      }
      tree.close(++time);
      EXPECT_EQ(paths_of(tree).at("0/1").visits, 4u) << before << " " << members;
    }
}

// With an index and without, a new child stands behind the one that was entered before it. A profile ends with the one
// that was entered last.
TEST(PathTree, ASiblingStandsBehindTheOneThatWasEnteredBeforeItsFirstVisit) {
  for (const std::uint32_t count : {5u, 31u, 34u, 35u, 200u, 3000u}) {
    ProfileTree tree;
    std::vector<std::uint32_t> ring;
    auto latest = ring.end();
    tree.enter(0, RegionId(2 * count));
    std::uint32_t region = 0;
    for (std::uint32_t step = 1; step <= 6 * count; ++step) {
      region = (region * 5 + step * step) % count + (step > 3 * count ? count / 2 : 0);
      tree.enter(step, RegionId(region));
      tree.leave(step);
      const auto known = std::find(ring.begin(), ring.end(), region);
      latest = known != ring.end() ? known : ring.insert(latest == ring.end() ? latest : latest + 1, region);
    }
    tree.leave(7 * count);
    ByteWriter bytes;
    tree.encode(bytes);
    const auto profile = decode_profile(bytes.bytes());
    ASSERT_TRUE(profile.ok());
    std::rotate(ring.begin(), latest + 1, ring.end());
    ASSERT_EQ(profile.value().nodes.size() - 1, ring.size());
    for (std::size_t i = 0; i < ring.size(); ++i) EXPECT_EQ(profile.value().nodes[i + 1].region, ring[i]) << count;
  }
}

}  // namespace
}  // namespace tarry::measure

// loop_iterations_test.cpp -- iterations of a loop that share the paths of clusters.
#include "measure/core/loop_iterations.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "archive/profile/profile_codec.hpp"
#include "measure/core/profile_tree.hpp"

namespace tarry::measure {
namespace {

// The region 1 is a loop; each tenth iteration calls 3, others 2.
TEST(LoopIterations, IterationsAreClusteredWithWhatTheyCall) {
  ProfileTree tree;
  Ticks time = 0;
  tree.enter(time, RegionId(0));
  for (int i = 0; i < 1000; ++i) {
    tree.begin_iteration(RegionId(1), 5000 + i, 64);
    tree.enter(time, RegionId(1));
    const bool is_long = i % 10 == 9;
    tree.enter(time, RegionId(is_long ? 3 : 2));
    tree.count_send(CommId(0), CommRank(0), 7);
    tree.leave(time += is_long ? 50 : 5);
    tree.leave(time += 1);
  }
  tree.close(time);
  ByteWriter bytes;
  tree.encode(bytes);
  auto decoded = decode_profile(bytes.bytes());
  ASSERT_TRUE(decoded.ok());
  const Profile profile = std::move(decoded.value());
  const std::vector<ProfileNode>& nodes = profile.nodes;
  ASSERT_EQ(nodes.size(), 5u);
  ASSERT_EQ(profile.clusters.size(), 2u);
  for (const IterationCluster& cluster : profile.clusters) {
    const bool is_long = cluster.runs.front().first != 5000;
    const ProfileNode& node = nodes[cluster.node];
    EXPECT_EQ(node.parent, 0u);
    EXPECT_EQ(node.region, 1u);
    EXPECT_EQ(node.visits, is_long ? 100u : 900u);
    EXPECT_EQ(node.time, is_long ? 5100 : 5400);
    EXPECT_EQ(node.max_time, is_long ? 51 : 6);
    EXPECT_EQ(cluster.runs.size(), 100u);
    const ProfileNode& callee = nodes[cluster.node + 1];
    EXPECT_EQ(callee.parent, cluster.node);
    EXPECT_EQ(callee.region, is_long ? 3u : 2u);
    EXPECT_EQ(callee.visits, node.visits);
    EXPECT_EQ(callee.transfers[Transfer::kBytesSent], 7 * node.visits);
  }
}

// The outermost path of a worker, below the path of the thread that forked the team.
TEST(LoopIterations, ALoopDirectlyBelowATeamIsClusteredToTheLastIteration) {
  ProfileTree forker, worker;
  forker.enter(0, RegionId(0));
  worker.begin_team(forker.mark_fork());
  Ticks time = 0;
  for (int i = 0; i < 20; ++i) {
    worker.begin_iteration(RegionId(1), i, 64);
    worker.enter(time, RegionId(1));
    worker.leave(time += i % 10 == 9 ? 50 : 5);
  }
  worker.end_team();
  worker.close(time);
  ByteWriter bytes;
  worker.encode(bytes);
  auto decoded = decode_profile(bytes.bytes());
  ASSERT_TRUE(decoded.ok());
  const Profile& profile = decoded.value();
  ASSERT_EQ(profile.nodes.size(), 2u);
  ASSERT_EQ(profile.clusters.size(), 2u);
  EXPECT_EQ(profile.teams.size(), 2u);
  for (const IterationCluster& cluster : profile.clusters)
    EXPECT_EQ(profile.nodes[cluster.node].visits, cluster.runs.front().first == 9 ? 2u : 18u);
}

}  // namespace
}  // namespace tarry::measure

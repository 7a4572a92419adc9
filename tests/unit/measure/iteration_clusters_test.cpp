// iteration_clusters_test.cpp -- which iterations of a loop are taken to be alike.
#include "measure/core/iteration_clusters.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace tarry::measure {
namespace {

CondensedProfile profile(double time, double visits = 10, std::size_t group = 0) {
  CondensedProfile condensed;
  condensed.time[group] = time;
  condensed.visits[group] = visits;
  return condensed;
}

TEST(IterationClusters, LikeGoesToLike) {
  const auto clusters = std::make_unique<IterationClusters>();
  for (int i = 0; i < 1000; ++i) {
    const bool is_long = i % 10 == 9;
    const auto decision = clusters->add(i, profile((is_long ? 5000 : 1000) + i % 7), 64);
    EXPECT_EQ(decision.cluster, is_long ? 1u : 0u) << i;
    EXPECT_EQ(decision.emptied, IterationClusters::kNone);
  }
  EXPECT_EQ(clusters->count(), 2u);
  ASSERT_EQ(clusters->runs().size(), 200u);
  EXPECT_EQ(clusters->runs()[2].first, 10);
  EXPECT_EQ(clusters->runs()[2].count, 9u);
  EXPECT_EQ(clusters->runs()[3].first, 19);
  EXPECT_EQ(clusters->runs()[3].cluster, 1u);
}

TEST(IterationClusters, OtherCallPathsAreNotAlike) {
  const auto clusters = std::make_unique<IterationClusters>();
  EXPECT_EQ(clusters->add(0, profile(1000, 10, 0), 64).cluster, 0u);
  EXPECT_EQ(clusters->add(1, profile(1000, 10, 5), 64).cluster, 1u);
  EXPECT_EQ(clusters->add(2, profile(1000, 90, 0), 64).cluster, 2u);
  CondensedProfile sends = profile(1000, 10, 0);
  sends.bytes = 1e6;
  EXPECT_EQ(clusters->add(3, sends, 64).cluster, 3u);
}

// 100 and 120 are nearer to each other than 1000 is to any: they become one, and 1000 gets the place.
TEST(IterationClusters, TheNearestTwoBecomeOne) {
  const auto clusters = std::make_unique<IterationClusters>();
  EXPECT_EQ(clusters->add(0, profile(100), 3).cluster, 0u);
  EXPECT_EQ(clusters->add(1, profile(400), 3).cluster, 1u);
  EXPECT_EQ(clusters->add(2, profile(150), 3).cluster, 2u);
  const auto decision = clusters->add(3, profile(1000), 3);
  EXPECT_EQ(decision.cluster, decision.emptied);
  EXPECT_EQ(decision.emptied, 2u);
  EXPECT_EQ(decision.filled, 0u);
  EXPECT_EQ(clusters->count(), 3u);
  ASSERT_EQ(clusters->runs().size(), 4u);
  EXPECT_EQ(clusters->runs()[2].cluster, 0u);
  EXPECT_EQ(clusters->runs()[3].cluster, 2u);
}

TEST(IterationClusters, RunsThatMeetBecomeOne) {
  const auto clusters = std::make_unique<IterationClusters>();
  clusters->add(7, profile(100), 2);
  clusters->add(8, profile(150), 2);
  clusters->add(9, profile(10'000), 2);
  ASSERT_EQ(clusters->runs().size(), 2u);
  EXPECT_EQ(clusters->runs()[0].first, 7);
  EXPECT_EQ(clusters->runs()[0].count, 2u);
}

TEST(IterationClusters, SpaceDoesNotGrow) {
  const auto clusters = std::make_unique<IterationClusters>();
  std::uint64_t seed = 1;
  for (int i = 0; i < 10'000; ++i) {
    CondensedProfile iteration;
    for (double& time : iteration.time) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      time = static_cast<double>(seed >> 44);
    }
    ASSERT_LT(clusters->add(i, iteration, 64).cluster, 64u);
  }
  EXPECT_EQ(clusters->count(), 64u);
  EXPECT_LE(clusters->runs().size(), 8192u);
}

}  // namespace
}  // namespace tarry::measure

// align_clusters_test.cpp -- clusters of several threads get common numbers, and texts.
#include "summary/align_clusters.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tarry {
namespace {

using Numbers = std::vector<std::size_t>;

TEST(ClusterNumbers, TheFirstThreadIsNumberedInOrderOfTime) {
  ClusterNumbers numbers;
  EXPECT_EQ(numbers.align(std::vector<IterationCluster>{{0, {{50, 2}}}, {1, {{10, 5}}}, {2, {{30, 1}}}}),
            (Numbers{2, 0, 1}));
  EXPECT_EQ(numbers.count(), 3u);
}

TEST(ClusterNumbers, OthersFollowIfMostIterationsAreShared) {
  ClusterNumbers numbers;
  numbers.align(std::vector<IterationCluster>{{0, {{0, 9}, {10, 9}}}, {1, {{9, 1}, {19, 1}}}});
  EXPECT_EQ(numbers.align(std::vector<IterationCluster>{{0, {{8, 2}, {19, 1}}}, {1, {{0, 8}, {10, 9}}}}),
            (Numbers{1, 0}));
  EXPECT_EQ(numbers.align(std::vector<IterationCluster>{{0, {{0, 5}, {100, 50}}}}), (Numbers{2}));
  EXPECT_EQ(numbers.text_of(0, 18), "0-8,10-18; others in 1 of 2 threads");
  EXPECT_EQ(numbers.text_of(2, 55), "0-4,100-149");
}

TEST(ClusterNumbers, NeverMoreThanOneThreadCanHave) {
  ClusterNumbers numbers;
  for (std::int64_t thread = 0; thread < 5; ++thread) {
    std::vector<IterationCluster> clusters;
    for (std::int64_t i = 0; i < 40; ++i) clusters.push_back({0, {{thread * 1000 + i * 7, 1}}});
    Numbers all = numbers.align(clusters);
    std::sort(all.begin(), all.end());
    EXPECT_EQ(std::unique(all.begin(), all.end()), all.end());
  }
  EXPECT_EQ(numbers.count(), 64u);
}

TEST(ClusterNumbers, TextsAreShort) {
  ClusterNumbers numbers;
  IterationCluster tenth{0, {}}, many{1, {}};
  for (std::int64_t i = 0; i < 100; ++i) {
    tenth.runs.push_back({10 * i, 1});
    many.runs.push_back({10 * i + 1, 8});
  }
  numbers.align(std::vector<IterationCluster>{tenth, many});
  EXPECT_EQ(numbers.text_of(0, 100), "0-990 by 10");
  EXPECT_EQ(numbers.text_of(0, 120), "0-990 by 10 (120 in all)");
  EXPECT_EQ(numbers.text_of(1, 800), "1-8,11-18,21-28,31-38,41-48,51-58,... (800 in all)");
}

}  // namespace
}  // namespace tarry

// match_collectives_test.cpp -- which parts make up a collective operation.
#include "replay/matching/match_collectives.hpp"

#include <gtest/gtest.h>

#include <mutex>
#include <set>

#include "synthetic_source.hpp"

namespace tarry {
namespace {

using Bundle = std::vector<std::pair<std::uint32_t, Ticks>>;  // world rank and BEGIN of each member

std::multiset<Bundle> instances_of(SyntheticTrace& trace, unsigned workers = 1) {
  Exchange exchange;
  Trace scanned(trace, exchange, workers);
  std::multiset<Bundle> found;
  std::mutex mutex;
  CollectiveMatcher(scanned).for_each([&](const CollectiveInstance& instance) {
    Bundle bundle;
    for (std::size_t i = 0; i < instance.size(); ++i)
      bundle.push_back({instance.members[i].world_rank.value, instance[i].begin});
    const std::lock_guard lock(mutex);
    found.insert(bundle);
  });
  return found;
}

TEST(MatchCollectives, ByCommunicatorAndOrder) {
  SyntheticTrace trace(3);
  const std::uint64_t pair = trace.comm({2, 0});
  for (std::uint32_t r = 0; r < 3; ++r) trace.on(r).collective(r, 3, CollectiveOp::kBarrier);
  trace.on(0).collective(10, 12, CollectiveOp::kBarrier, {.comm = pair});
  for (std::uint32_t r = 0; r < 2; ++r) trace.on(r).collective(20 + r, 30, CollectiveOp::kBcast, {.root = 0});
  trace.on(2)
      .collective(22, 30, CollectiveOp::kBcast, {.root = 0})
      .collective(31, 32, CollectiveOp::kBarrier, {.comm = pair});
  EXPECT_EQ(instances_of(trace),
            (std::multiset<Bundle>{{{0, 0}, {1, 1}, {2, 2}}, {{2, 31}, {0, 10}}, {{0, 20}, {1, 21}, {2, 22}}}));
  EXPECT_EQ(trace.faults().total(), 0u);
}

// More instances than are handed out at once.
TEST(MatchCollectives, ManyInstances) {
  for (const unsigned workers : {1u, 3u}) {
    SyntheticTrace trace(2);
    for (Ticks at = 0; at < 1500; ++at)
      for (std::uint32_t r = 0; r < 2; ++r) trace.on(r).collective(at, at, CollectiveOp::kBarrier);
    const std::multiset<Bundle> found = instances_of(trace, workers);
    EXPECT_EQ(found.size(), 1500u);
    for (const Bundle& bundle : found) EXPECT_EQ(bundle[0].second, bundle[1].second);
  }
}

TEST(MatchCollectives, MissingMembersAreCountedAndTheRestIsAnalysed) {
  SyntheticTrace trace(3);
  for (std::uint32_t r = 0; r < 3; ++r) trace.on(r).collective(r, 3, CollectiveOp::kBarrier);
  for (std::uint32_t r = 1; r < 3; ++r) trace.on(r).collective(5, 6, CollectiveOp::kBarrier);
  EXPECT_EQ(instances_of(trace).size(), 1u);
  EXPECT_EQ(trace.faults().count(Fault::kIncompleteCollective), 1u);
}

TEST(MatchCollectives, MembersThatDisagreeOnTheOperation) {
  SyntheticTrace trace(2);
  trace.on(0).collective(0, 1, CollectiveOp::kBarrier);
  trace.on(1).collective(0, 1, CollectiveOp::kBcast, {.root = 0});
  EXPECT_TRUE(instances_of(trace).empty());
  EXPECT_EQ(trace.faults().count(Fault::kInconsistentCollective), 1u);
}

TEST(MatchCollectives, MembersThatDisagreeOnTheRoot) {
  SyntheticTrace trace(2);
  trace.on(0).collective(0, 1, CollectiveOp::kBcast, {.root = 0});
  trace.on(1).collective(0, 1, CollectiveOp::kBcast, {.root = 1});
  EXPECT_TRUE(instances_of(trace).empty());
  EXPECT_EQ(trace.faults().count(Fault::kInconsistentCollective), 1u);
}

// There the root says something else than the others, and it is no rank of its own group.
TEST(MatchCollectives, BetweenTwoGroupsTheRootIsNamedByTheOtherGroupOnly) {
  SyntheticTrace trace(4);
  const std::uint64_t bridge = trace.comm({0, 1}, {2, 3});
  trace.on(0).collective(9, 10, CollectiveOp::kBcast, {.root = 1, .comm = bridge});
  trace.on(1).collective(8, 10, CollectiveOp::kBcast, {.root = 1, .comm = bridge});
  trace.on(2).collective(7, 10, CollectiveOp::kBcast, {.root = kNoField, .comm = bridge});
  trace.on(3).collective(6, 10, CollectiveOp::kBcast, {.root = 3, .comm = bridge});
  EXPECT_EQ(instances_of(trace), (std::multiset<Bundle>{{{0, 9}, {1, 8}, {2, 7}, {3, 6}}}));
  EXPECT_EQ(trace.faults().total(), 0u);
}

TEST(MatchCollectives, ABarrierOverAnInterCommunicatorHoldsBothGroups) {
  SyntheticTrace trace(3);
  const std::uint64_t bridge = trace.comm({2}, {1, 0});
  for (std::uint32_t r = 0; r < 3; ++r) trace.on(r).collective(r, 10, CollectiveOp::kBarrier, {.comm = bridge});
  EXPECT_EQ(instances_of(trace), (std::multiset<Bundle>{{{2, 2}, {1, 1}, {0, 0}}}));
}

TEST(MatchCollectives, WhoIsNoMemberHasNoPart) {
  SyntheticTrace trace(3);
  const std::uint64_t pair = trace.comm({0, 1});
  for (std::uint32_t r = 0; r < 3; ++r) trace.on(r).collective(r, 10, CollectiveOp::kBarrier, {.comm = pair});
  EXPECT_EQ(instances_of(trace), (std::multiset<Bundle>{{{0, 0}, {1, 1}}}));
}

}  // namespace
}  // namespace tarry

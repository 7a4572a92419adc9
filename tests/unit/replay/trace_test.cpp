// trace_test.cpp -- all logical ranks of a trace, in order.
#include "replay/trace.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "synthetic_source.hpp"

namespace tarry {
namespace {

std::vector<std::uint32_t> numbers(IdView<WorldRank> ranks) {
  return {ranks.numbers().begin(), ranks.numbers().end()};
}

TEST(Trace, RanksStandInOrderWhateverTheOrderOfTheDefinitions) {
  SyntheticTrace trace(3, 2);
  Definitions& definitions = trace.edit_definitions();
  const std::uint32_t ranks[] = {20, 5, 10};
  for (std::uint32_t p = 0; p < 3; ++p) definitions.processes[p].rank = ranks[p];
  // The master of the first process comes after its worker.
  std::swap(definitions.locations[0].thread, definitions.locations[1].thread);
  trace.streams()[1].enter(0, "master").leave(1);
  trace.streams()[0].enter(0, "worker").leave(1);
  Exchange exchange;
  Trace scanned(trace, exchange, 2);
  ASSERT_EQ(scanned.ranks().size(), 3u);
  EXPECT_EQ(scanned.ranks()[0].rank, WorldRank(5));
  EXPECT_EQ(scanned.ranks()[2].rank, WorldRank(20));
  EXPECT_EQ(scanned.index_of(WorldRank(10)), RankIndex(1));
  EXPECT_EQ(scanned.index_of(WorldRank(0)), RankIndex());
  ASSERT_EQ(scanned.ranks()[2].threads.size(), 2u);
  EXPECT_EQ(scanned.ranks()[2].threads[0].location, LocationId(1));
  EXPECT_EQ(scanned.regions().name(scanned.ranks()[2].tree[0].region), "master");
}

TEST(Trace, EveryRankIsVisitedOnce) {
  SyntheticTrace trace(7);
  Exchange exchange;
  Trace scanned(trace, exchange, 3);
  Indexed<RankIndex, std::vector<std::atomic<int>>> visits(7);
  scanned.for_each_hosted([&](RankIndex r) { ++visits[r]; });
  for (const auto& count : visits) EXPECT_EQ(count, 1);
  for (const RankIndex r : IdRange<RankIndex>(7)) EXPECT_TRUE(scanned.is_hosted(r));
}

TEST(Trace, LocationsOfNoProcessAreLeftOut) {
  SyntheticTrace trace(1, 2);
  trace.edit_definitions().locations[1].process = ProcessId(9);
  Exchange exchange;
  Trace scanned(trace, exchange, 1);
  EXPECT_EQ(scanned.ranks()[0].threads.size(), 1u);
}

TEST(Trace, TicksBecomeSecondsByTheClock) {
  SyntheticTrace trace(1);
  trace.edit_definitions().clock.ticks_per_second = 4;
  Exchange exchange;
  EXPECT_EQ(Trace(trace, exchange, 1).seconds(10), 2.5);
}

TEST(Trace, ACommunicatorOfManyWithMissingMembersIsNotOfAll) {
  SyntheticTrace trace(3);
  const CommId comm(trace.comm({0, 0xffffffffu, 2}));
  Exchange exchange;
  const Trace scanned(trace, exchange, 1);
  EXPECT_TRUE(scanned.is_member(comm, RankIndex(0)));
  EXPECT_FALSE(scanned.is_member(comm, RankIndex(1)));
  EXPECT_TRUE(scanned.is_member(comm, RankIndex(2)));
}

TEST(Trace, ProcessesOfSeveralWorldsAreToldApart) {
  SyntheticTrace trace(6);
  const std::uint64_t spawned = trace.spawn_world(3);
  trace.edit_definitions().groups[1].members.pop_back();  // rank 5 is in no world
  const std::vector<std::uint32_t> ranks = {0, 1, 2, 3, 4, 5};
  const WorldTable table(trace.definitions(), IdView<WorldRank>(ranks));
  ASSERT_EQ(table.size(), 3u);
  EXPECT_TRUE(table.are_several());
  EXPECT_EQ(table.of(RankIndex(2)), WorldIndex(0));
  EXPECT_EQ(table.of(RankIndex(4)), WorldIndex(1));
  EXPECT_EQ(table.of(RankIndex(5)), WorldIndex(2));
  EXPECT_EQ(numbers(table.members(WorldIndex(1))), (std::vector<std::uint32_t>{3, 4}));
  EXPECT_EQ(table.comm(WorldIndex(0)), CommId(0));
  EXPECT_EQ(table.comm(WorldIndex(1)), CommId(spawned));
  EXPECT_EQ(table.comm(WorldIndex(2)), CommId());
}

TEST(Trace, OneWorldIsOfAllWhateverItsMembers) {
  SyntheticTrace trace(3);
  trace.edit_definitions().groups[0].members = {0};
  const std::vector<std::uint32_t> ranks = {0, 1, 2};
  const WorldTable table(trace.definitions(), IdView<WorldRank>(ranks));
  EXPECT_FALSE(table.are_several());
  EXPECT_EQ(table.of(RankIndex(2)), WorldIndex(0));
  EXPECT_EQ(numbers(table.members(WorldIndex(0))), ranks);
  EXPECT_EQ(table.comm(WorldIndex(0)), CommId());
}

}  // namespace
}  // namespace tarry

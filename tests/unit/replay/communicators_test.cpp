// communicators_test.cpp -- ranks of communicators and the processes behind them.
#include "replay/communicators.hpp"

#include <gtest/gtest.h>

#include "defs/comm_uid.hpp"
#include "synthetic_source.hpp"

namespace tarry {
namespace {

constexpr std::uint32_t kNobody = 0xffffffffu;

TEST(CommunicatorTable, RanksFollowTheGroup) {
  SyntheticTrace trace(5);
  const auto id = static_cast<std::uint32_t>(trace.comm({4, 0, 2}));
  const CommunicatorTable table(trace.definitions());
  EXPECT_TRUE(table.is_valid(id));
  EXPECT_FALSE(table.is_valid(id + 1));
  EXPECT_EQ(table.world_rank(id, 0, 2), 4u);
  EXPECT_EQ(table.world_rank(id, 2, 0), 2u);
  EXPECT_EQ(table.world_rank(id, 3, 0), kNobody);
  EXPECT_EQ(table.rank_of(id, 0), 1u);
  EXPECT_EQ(table.rank_of(id, 3), kNobody);
  EXPECT_EQ(table.members(id), (std::vector<std::uint32_t>{4, 0, 2}));
}

TEST(CommunicatorTable, WithoutGroupEveryProcessIsAlone) {
  SyntheticTrace trace(3);
  const auto self = static_cast<std::uint32_t>(trace.comm({}));
  const CommunicatorTable table(trace.definitions());
  EXPECT_EQ(table.world_rank(self, 0, 2), 2u);
  EXPECT_EQ(table.world_rank(self, 1, 2), kNobody);
  EXPECT_EQ(table.rank_of(self, 2), 0u);
}

TEST(CommunicatorTable, MessagesOverAnInterCommunicatorGoToTheOtherGroup) {
  SyntheticTrace trace(5);
  const auto id = static_cast<std::uint32_t>(trace.comm({3, 1}, {4, 0, 2}));
  const CommunicatorTable table(trace.definitions());
  EXPECT_EQ(table.world_rank(id, 1, 3), 0u);  // from the first group
  EXPECT_EQ(table.world_rank(id, 1, 2), 1u);  // from the second
  EXPECT_EQ(table.world_rank(id, 2, 2), kNobody);
  EXPECT_EQ(table.rank_of(id, 2), 2u);
  EXPECT_EQ(table.rank_of(id, 1), 1u);
  EXPECT_EQ(table.local_size(id), 2u);
  EXPECT_EQ(table.members(id).size(), 5u);
}

TEST(CommunicatorTable, KnowsWhatLeadsOutside) {
  Definitions definitions;
  const std::uint64_t inside[] = {Communicator::kWorldUid, Communicator::kSelfUidBase | 3, 5ull << 32 | 7,
                                  comm_uid::kCreationBit | 12345};
  for (const std::uint64_t uid : inside) definitions.comms.emplace_back().uid = uid;
  definitions.comms.emplace_back().uid = comm_uid::kOutsideBit | 5ull << 32 | 7;
  const CommunicatorTable table(definitions);
  for (std::uint32_t comm = 0; comm < std::size(inside); ++comm) EXPECT_FALSE(table.leads_outside(comm)) << comm;
  EXPECT_TRUE(table.leads_outside(std::size(inside)));
}

}  // namespace
}  // namespace tarry

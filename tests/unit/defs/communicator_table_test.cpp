// communicator_table_test.cpp -- ranks of communicators and the processes behind them.
#include "defs/communicator_table.hpp"

#include <gtest/gtest.h>

#include "defs/comm_uid.hpp"

namespace tarry {
namespace {

std::vector<std::uint32_t> numbers(IdView<WorldRank> ranks) { return {ranks.numbers().begin(), ranks.numbers().end()}; }

// Definitions of one communicator, between two groups if there is a second.
struct OneComm {
  Definitions definitions;
  CommId id{0};

  explicit OneComm(const std::vector<std::uint32_t>& members, const std::vector<std::uint32_t>& remote = {}) {
    Communicator comm;
    comm.group = add_group(members);
    comm.is_inter = !remote.empty();
    if (comm.is_inter) comm.remote_group = add_group(remote);
    definitions.comms.push_back(comm);
  }

  GroupId add_group(const std::vector<std::uint32_t>& members) {
    definitions.groups.emplace_back().members = members;
    return GroupId(definitions.groups.size() - 1);
  }
};

TEST(CommunicatorTable, GroupsOfLocationsHaveNoRanks) {
  OneComm comm({4, 0, 2});
  comm.definitions.groups[0].paradigm = Paradigm::kOpenCl;
  const CommunicatorTable table(comm.definitions);
  EXPECT_TRUE(table.leads_outside(comm.id));
  EXPECT_TRUE(numbers(table.members(comm.id)).empty());
}

TEST(CommunicatorTable, RanksFollowTheGroup) {
  const OneComm comm({4, 0, 2});
  const CommId id = comm.id;
  const CommunicatorTable table(comm.definitions);
  EXPECT_TRUE(table.is_valid(id));
  EXPECT_FALSE(table.is_valid(CommId(id.value + 1u)));
  EXPECT_EQ(table.world_rank(id, CommRank(0), WorldRank(2)), WorldRank(4));
  EXPECT_EQ(table.world_rank(id, CommRank(2), WorldRank(0)), WorldRank(2));
  EXPECT_EQ(table.world_rank(id, CommRank(3), WorldRank(0)), WorldRank());
  EXPECT_EQ(table.rank_of(id, WorldRank(0)), CommRank(1));
  EXPECT_EQ(table.rank_of(id, WorldRank(3)), CommRank());
  EXPECT_EQ(numbers(table.members(id)), (std::vector<std::uint32_t>{4, 0, 2}));
}

TEST(CommunicatorTable, WithoutGroupEveryProcessIsAlone) {
  const OneComm comm({}, {});
  const CommId self = comm.id;
  const CommunicatorTable table(comm.definitions);
  EXPECT_EQ(table.world_rank(self, CommRank(0), WorldRank(2)), WorldRank(2));
  EXPECT_EQ(table.world_rank(self, CommRank(1), WorldRank(2)), WorldRank());
  EXPECT_EQ(table.rank_of(self, WorldRank(2)), CommRank(0));
}

TEST(CommunicatorTable, MessagesOverAnInterCommunicatorGoToTheOtherGroup) {
  const OneComm comm({3, 1}, {4, 0, 2});
  const CommId id = comm.id;
  const CommunicatorTable table(comm.definitions);
  EXPECT_EQ(table.world_rank(id, CommRank(1), WorldRank(3)), WorldRank(0));  // from the first group
  EXPECT_EQ(table.world_rank(id, CommRank(1), WorldRank(2)), WorldRank(1));  // from the second
  EXPECT_EQ(table.world_rank(id, CommRank(2), WorldRank(2)), WorldRank());
  EXPECT_EQ(table.rank_of(id, WorldRank(2)), CommRank(2));
  EXPECT_EQ(table.rank_of(id, WorldRank(1)), CommRank(1));
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
  for (std::uint32_t comm = 0; comm < std::size(inside); ++comm)
    EXPECT_FALSE(table.leads_outside(CommId(comm))) << comm;
  EXPECT_TRUE(table.leads_outside(CommId(std::size(inside))));
}

}  // namespace
}  // namespace tarry

// mpi_worlds_test.cpp -- the sets of processes that share an MPI_COMM_WORLD, and the uids that tell them.
#include "defs/mpi_worlds.hpp"

#include <gtest/gtest.h>

#include "defs/comm_uid.hpp"
#include "defs/unify.hpp"

namespace tarry {
namespace {

TEST(CommUid, TellsWorldsFromAllOthers) {
  EXPECT_TRUE(comm_uid::is_world(Communicator::kWorldUid));
  EXPECT_TRUE(comm_uid::is_world(comm_uid::of_world(5)));
  EXPECT_FALSE(comm_uid::is_world(comm_uid::of_world(5) | 1));
  EXPECT_FALSE(comm_uid::is_world(1));
  EXPECT_FALSE(comm_uid::is_world(Communicator::kSelfUidBase));  // MPI_COMM_SELF of process 0
  EXPECT_FALSE(comm_uid::is_world(comm_uid::kOutsideBit | comm_uid::of_world(5)));
  EXPECT_FALSE(comm_uid::is_world(comm_uid::kCreationBit | comm_uid::of_world(5)));  // a hash that ends in zeros
}

Communicator world_of(std::uint32_t first, std::uint32_t rank, std::uint32_t size) {
  Communicator comm;
  comm.uid = comm_uid::of_world(first);
  comm.rank = rank;
  comm.size = size;
  return comm;
}

// A process of two that have spawned three, over an inter-communicator.
Definitions process_of(std::uint32_t number) {
  Definitions all;
  const bool is_child = number >= 2;
  const std::uint32_t rank = is_child ? number - 2 : number, size = is_child ? 3 : 2;
  Process process;
  process.rank = number;
  all.processes.push_back(process);
  all.comms.push_back(world_of(is_child ? 2 : 0, rank, size));
  all.comms[0].name = all.strings.intern("MPI_COMM_WORLD");
  Communicator between;
  between.uid = 1;
  between.rank = rank;
  between.size = size;
  between.parent = CommId(0);
  between.is_inter = true;
  all.comms.push_back(between);
  return all;
}

TEST(MpiWorlds, SpawnedProcessesHaveOneOfTheirOwn) {
  std::vector<Definitions> processes;
  for (const std::uint32_t number : {3u, 0u, 2u, 1u}) processes.push_back(process_of(number));  // 4 left nothing
  const Definitions all = unify(std::move(processes)).global;
  const std::vector<MpiWorld> worlds = mpi_worlds(all);
  ASSERT_EQ(worlds.size(), 2u);
  EXPECT_EQ(worlds[0].first, 0u);
  EXPECT_EQ(worlds[0].size, 2u);
  EXPECT_EQ(worlds[0].missing, 0u);
  EXPECT_EQ(worlds[1].first, 2u);
  EXPECT_EQ(worlds[1].size, 3u);
  EXPECT_EQ(worlds[1].missing, 1u);
  EXPECT_TRUE(worlds[1].contains(4));
  EXPECT_FALSE(worlds[1].contains(5));
  EXPECT_FALSE(worlds[1].contains(1));
  EXPECT_EQ(describe(worlds), "2: ranks 0-1; ranks 2-4");
  const std::vector<std::uint32_t> parents = {0, 1}, children = {2, 3, 0xffffffffu};
  EXPECT_EQ(all.groups[all.comms[worlds[1].comm.value].group.value].members, children);
  // Both sides of the inter-communicator.
  ASSERT_EQ(all.comms.size(), 3u);
  for (const Communicator& comm : all.comms) {
    if (!comm.is_inter) continue;
    EXPECT_EQ(all.groups[comm.group.value].members, parents);
    EXPECT_EQ(all.groups[comm.remote_group.value].members, children);
    EXPECT_EQ(all.comms[comm.parent.value].uid, Communicator::kWorldUid);
  }
}

TEST(MpiWorlds, NoProcessIsInTwo) {
  Definitions all;
  all.groups.resize(3);
  all.groups[0].members = {0, 1, 2, 3};
  all.groups[1].members = {2, 3};
  all.groups[2].members = {4};
  const auto add = [&](std::uint32_t first, std::uint32_t group) {
    all.comms.emplace_back().uid = comm_uid::of_world(first);
    all.comms.back().group = GroupId(group);
  };
  add(4, 2);
  add(2, 1);
  add(0, 0);
  add(0, 1);
  add(9, 7);  // a group that is not there
  const std::vector<MpiWorld> worlds = mpi_worlds(all);
  ASSERT_EQ(worlds.size(), 2u);
  EXPECT_EQ(worlds[0].comm, CommId(2));
  EXPECT_EQ(worlds[1].comm, CommId(0));
  EXPECT_EQ(describe(worlds), "2: ranks 0-3; rank 4");
}

TEST(MpiWorlds, OneNeedsNoWords) {
  Definitions all;
  all.groups.resize(1);
  all.groups[0].members = {0, 1};
  all.comms.emplace_back().group = GroupId(0);
  EXPECT_EQ(mpi_worlds(all).size(), 1u);
  EXPECT_EQ(describe(mpi_worlds(all)), "");
  EXPECT_EQ(describe({}), "");
}

TEST(MpiWorlds, OfManyTheFirstOnesAreNamed) {
  std::vector<MpiWorld> worlds;
  for (std::uint32_t i = 0; i < 12; ++i) worlds.push_back({CommId(i), 2 * i, 2, 0});
  EXPECT_EQ(describe(worlds).substr(0, 14), "12: ranks 0-1;");
  EXPECT_TRUE(describe(worlds).ends_with("ranks 18-19; ..."));
}

}  // namespace
}  // namespace tarry

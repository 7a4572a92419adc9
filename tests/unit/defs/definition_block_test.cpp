// definition_block_test.cpp -- definitions that are unified over a tree are those that are unified one after the other.
#include "defs/definition_block.hpp"

#include <gtest/gtest.h>

#include <random>

#include "defs/comm_uid.hpp"
#include "defs/definition_codec.hpp"
#include "defs/mpi_worlds.hpp"
#include "defs/system_tree.hpp"

namespace tarry {
namespace {

std::vector<std::uint8_t> bytes_of(const UnifiedDefinitions& unified) {
  ByteWriter out;
  encode_definitions(out, unified.global);
  encode_id_maps(out, unified.maps);
  return out.bytes();
}

// Each process with a member of its own.
UnifiedDefinitions unify_over_tree(const std::vector<Definitions>& processes, std::uint32_t group_size,
                                   unsigned workers) {
  std::vector<DefinitionMember> members;
  for (std::uint32_t m = 0; m < group_size; ++m) {
    DefinitionBlock block;
    for (std::size_t p = processes.size() * m / group_size; p < processes.size() * (m + 1) / group_size; ++p)
      block.add(processes[p]);
    members.emplace_back(std::move(block));
  }
  VirtualGroup group(group_size);
  UnifiedDefinitions unified;
  group.run_up([&](GroupTransport& transport, std::uint32_t rank) { EXPECT_TRUE(members[rank].up(transport).ok()); },
               workers);
  unified.global = members[0].block().finish();
  group.run_down(
      [&](GroupTransport& transport, std::uint32_t rank) { EXPECT_TRUE(members[rank].down(transport).ok()); }, workers);
  for (DefinitionMember& member : members)
    for (LocalMap& map : member.block().maps()) unified.maps.push_back(std::move(map.map));
  return unified;
}

void expect_same(const std::vector<Definitions>& processes) {
  const auto expected = bytes_of(unify(processes));
  for (const std::uint32_t group_size : {1u, 2u, 3u, 7u, 16u, static_cast<std::uint32_t>(processes.size())})
    EXPECT_EQ(bytes_of(unify_over_tree(processes, group_size, 1 + group_size % 3)), expected)
        << group_size << " members";
}

StringId text(Definitions& all, const std::string& string) { return all.strings.intern(string); }

// A process of a job in which much is alike and something differs: functions, nodes, clocks, communicators of rows,
// windows.
Definitions process_of(std::uint32_t rank, std::uint32_t ranks, std::mt19937& random) {
  const auto pick = [&random](std::uint32_t count) { return static_cast<std::uint32_t>(random() % count); };
  Definitions all;
  const std::string node = "n" + std::to_string(rank / 4);
  all.system_nodes = {{text(all, "m"), text(all, "machine"), {}},
                      {text(all, node), text(all, "node"), SystemNodeId(0)}};
  all.processes.push_back({text(all, "rank " + std::to_string(rank)), rank, SystemNodeId(1), pick(8) != 0});
  for (std::uint32_t t = 0; t < 1 + pick(3); ++t)
    all.locations.push_back({text(all, "thread " + std::to_string(t)), ProcessId(0), t, pick(1000)});
  for (std::uint32_t r = 0; r < 8; ++r) {
    const StringId name = text(all, "f" + std::to_string(pick(3) ? r : pick(20)));
    all.regions.push_back({name, name, text(all, "a.c"), r, r + 1, Paradigm::kUser, RegionRole::kFunction});
  }
  const auto add_comm = [&](const std::string& name, std::uint64_t uid, CommId parent, std::uint32_t place,
                            std::uint32_t size, bool is_inter = false) {
    Communicator comm;
    comm.name = text(all, pick(2) ? name : "");
    comm.uid = uid;
    comm.parent = parent;
    comm.rank = place;
    comm.size = size;
    comm.is_inter = is_inter;
    all.comms.push_back(comm);
  };
  add_comm("world", 0, {}, rank, ranks);
  add_comm("self", Communicator::kSelfUidBase + rank, {}, 0, 1);
  add_comm("row", 1000 + rank / 4, CommId(0), rank % 4, 4);
  if (pick(2)) add_comm("column", 2000 + rank % 4, CommId(0), rank / 4, (ranks + 3) / 4);
  add_comm("bridge", 3000, CommId(2 + pick(2)), rank / 2, ranks / 2, true);
  for (unsigned w = pick(3); w > 0; --w) all.windows.push_back({text(all, "w" + std::to_string(w)), CommId(pick(3))});
  for (unsigned w = pick(3); w > 0; --w)
    all.io_handles.push_back({text(all, "out" + std::to_string(w % 2)), CommId(0)});
  for (unsigned g = pick(3); g > 0; --g) all.groups.push_back({text(all, "g"), {g, g + 1, g + pick(2)}});
  all.carts.push_back({text(all, "grid"), CommId(pick(3)), {{text(all, ""), ranks, true}}, {}});
  all.carts.push_back({text(all, "hardware"),
                       {},
                       {{text(all, std::string(kNodeDimension)), 1, false}, {text(all, "core"), 2, false}},
                       {{rank, {0, rank % 4}}}});
  if (pick(4) == 0) {
    all.carts.back().dimensions.pop_back();
    all.carts.back().places[0].coordinates.pop_back();
  }
  all.neighborhoods.push_back({CommId(pick(6)), rank, {rank + 1}, {}});
  const auto add_property = [&](std::string_view key, const std::string& value) {
    all.properties.push_back({text(all, std::string(key)), text(all, value)});
  };
  add_property(kClockDomainKey, node);
  add_property(kClockStartKey, std::to_string(pick(100)) + " 0 1000000000");
  if (pick(4)) add_property(kClockEndKey, std::to_string(1000000 + pick(100)) + " 1000000 1001000000");
  if (pick(3) == 0) all.clock_offsets.push_back({ProcessId(0), pick(1000), pick(50)});
  if (pick(3) == 0) add_property(kLostKey, std::to_string(pick(10)));
  if (pick(3) == 0) add_property("program", "app" + std::to_string(pick(2)));
  return all;
}

TEST(DefinitionBlockTest, TreeGivesWhatTheSequentialWayGives) {
  std::mt19937 random(3);
  for (const std::uint32_t ranks : {1u, 2u, 5u, 16u, 61u})
    for (int round = 0; round < 4; ++round) {
      std::vector<Definitions> processes;
      for (std::uint32_t rank = 0; rank < ranks; ++rank) processes.push_back(process_of(rank, ranks, random));
      expect_same(processes);
    }
}

// The first two processes have spawned the others.
TEST(DefinitionBlockTest, SoDoSeveralWorlds) {
  std::mt19937 random(4);
  for (const std::uint32_t ranks : {3u, 17u}) {
    std::vector<Definitions> processes;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      Communicator& world = processes.emplace_back(process_of(rank, ranks, random)).comms[0];
      world.uid = comm_uid::of_world(rank < 2 ? 0 : 2);
      world.rank = rank < 2 ? rank : rank - 2;
      world.size = rank < 2 ? 2 : ranks - 2;
    }
    expect_same(processes);
    const std::vector<MpiWorld> worlds = mpi_worlds(unify(processes).global);
    ASSERT_EQ(worlds.size(), 2u);
    EXPECT_EQ(worlds[1].size, ranks - 2);
    EXPECT_EQ(worlds[1].missing, 0u);
  }
}

TEST(DefinitionBlockTest, SoDoHostileDefinitions) {
  std::mt19937 random(5);
  ByteWriter sound;
  encode_definitions(sound, process_of(1, 4, random));
  for (int round = 0; round < 200; ++round) {
    std::vector<Definitions> processes(5);
    for (std::uint32_t rank = 0; rank < processes.size(); ++rank) {
      auto bytes = sound.bytes();
      for (unsigned i = random() % 4; i > 0; --i) bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
      (void)decode_definitions(bytes, processes[rank]);
      processes[rank].processes.assign(1, {});  // as the archive's reader does
      processes[rank].processes[0].rank = rank;
      for (Location& location : processes[rank].locations) location.process = ProcessId(0);
      processes[rank].clock_offsets.clear();
    }
    expect_same(processes);
  }
}

TEST(DefinitionBlockTest, RegularCommunicatorsTakeConstantSpaceOnTheWay) {
  const auto size_of = [](std::uint32_t ranks) {
    DefinitionBlock all;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      Definitions process;
      process.processes.push_back({{}, rank, {}, true});
      Communicator world;
      world.rank = rank;
      world.size = 4096;
      process.comms = {world, world};
      process.comms[1].uid = 17;
      process.comms[1].rank = 4095 - rank;  // backwards
      all.add(process);
    }
    ByteWriter out;
    all.encode(out);
    return out.bytes().size();
  };
  const std::size_t process_bytes = (size_of(3000) - size_of(2000)) / 1000;
  EXPECT_LE(process_bytes, 8u);  // the process itself: nothing of its communicators
}

TEST(DefinitionBlockTest, DamagedMessagesAreRefused) {
  std::mt19937 random(7);
  DefinitionBlock block;
  block.add(process_of(0, 4, random));
  ByteWriter out;
  block.encode(out);
  ASSERT_TRUE(DefinitionBlock::decode(out.bytes()).ok());
  for (std::size_t size = 0; size < out.bytes().size(); ++size)
    EXPECT_FALSE(DefinitionBlock::decode(std::span(out.bytes()).first(size)).ok());
}

}  // namespace
}  // namespace tarry

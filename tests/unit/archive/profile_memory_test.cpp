// profile_memory_test.cpp -- what is left of a summary in the slabs of a killed process.
#include "archive/profile/profile_memory.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

namespace tarry {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::uint32_t kThread = 3;

// A slab as the recorder fills it, with a counter. One visit of `app` is open. In it one of `solve` is open, and two
// have ended.
struct OneSlab {
  static constexpr std::size_t kBytes = 4096;
  alignas(8) std::uint8_t bytes[kBytes] = {};
  PathNode root;

  OneSlab() {
    auto* const slab = new (bytes) ProfileSlab;
    slab->address = slab;
    slab->root = &root;
    slab->counters = 1;
    slab->counter_ids()[0] = 7;
    PathNode* const app = add(0, &root, 1, 100, 0);
    PathNode* const solve = add(1, app, 3, 150, 30);
    solve->min_time = 10;
    solve->max_time = 20;
    solve->transfers = new (bytes + kBytes - sizeof(TransferCounts)) TransferCounts;
    solve->transfers->count_collective(8, 0);
    slab->head = {.current = solve, .last_time = 165};
  }

  PathNode* add(std::uint32_t region, PathNode* parent, std::uint64_t visits, Ticks entered, Ticks time) {
    auto* const slab = reinterpret_cast<ProfileSlab*>(bytes);
    auto* const node = new (bytes + slab->first_node() + slab->paths++ * slab->node_bytes()) PathNode;
    node->region = RegionId(region);
    node->parent = parent;
    node->visits = visits;
    node->entered_at = entered;
    node->time = time;
    const std::uint64_t counted = 1000 + region;
    std::memcpy(static_cast<void*>(node + 1), &counted, sizeof counted);
    return node;
  }

  Profile decode() const { return decode_profile_memory({std::span(bytes)}, kThread); }
};

TEST(ProfileMemory, OpenVisitsEndAtTheLatestEvent) {
  const Profile profile = OneSlab().decode();
  ASSERT_EQ(profile.nodes.size(), 2u);
  const ProfileNode &app = profile.nodes[0], &solve = profile.nodes[1];
  EXPECT_EQ(app.parent, ProfileNode::kNoParent);
  EXPECT_EQ(app.time, 65);
  EXPECT_EQ(app.min_time, 65);
  EXPECT_EQ(solve.parent, 0u);
  EXPECT_EQ(solve.visits, 3u);
  EXPECT_EQ(solve.time, 45);
  EXPECT_EQ(solve.min_time, 10);
  EXPECT_EQ(solve.max_time, 20);
  EXPECT_EQ(solve.transfers[Transfer::kSources], 1u);
  EXPECT_EQ(solve.transfers[Transfer::kBytesOut], 8u);
  EXPECT_EQ(profile.counters, std::vector<std::uint32_t>{7});
  EXPECT_EQ(profile.counter_values, (std::vector<std::uint64_t>{1000, 1001}));
}

TEST(ProfileMemory, ReceiversAreListed) {
  OneSlab slab;
  auto* const first = new (slab.bytes + 3000) ReceiverNode{{.comm = 1, .receiver = 2, .messages = 3, .bytes = 4}};
  auto* const second =
      new (slab.bytes + 3040) ReceiverNode{{.comm = 0, .receiver = 5, .messages = 1, .bytes = 0}, first};
  auto* const head = &reinterpret_cast<ProfileSlab*>(slab.bytes)->head;
  head->receivers = second;
  EXPECT_EQ(slab.decode().receivers, (std::vector<ReceiverCount>{second->count, first->count}));
  first->next = second;  // a circle
  EXPECT_EQ(slab.decode().receivers.size(), kMostReceivers + 1);
  head->receivers = reinterpret_cast<ReceiverNode*>(8);
  EXPECT_TRUE(slab.decode().receivers.empty());
}

TEST(ProfileMemory, FilesAreListed) {
  OneSlab slab;
  auto* const file = new (slab.bytes + 3000) FileNode{{.file = 1, .opens = 2, .bytes_written = 3, .time = 4}};
  reinterpret_cast<ProfileSlab*>(slab.bytes)->head.files = file;
  EXPECT_EQ(slab.decode().files, std::vector<FileCount>{file->count});
}

TEST(ProfileMemory, TeamsKnowWhereTheyWereForked) {
  OneSlab slab;
  PathNode* const place = slab.add(kTeamPlace.value, &slab.root, 0, 0, 0);
  PathNode* const region = slab.add(4, place, 1, 0, 9);
  const PathNode elsewhere;
  place->fork = fork_number(elsewhere, 7);
  region->is_fork = 1;
  const Profile profile = slab.decode();
  ASSERT_EQ(profile.nodes.size(), 3u);
  EXPECT_EQ(profile.nodes[2].parent, ProfileNode::kNoParent);
  EXPECT_EQ(profile.teams, (std::vector<ForkPlace>{{2, fork_number(elsewhere, 7)}}));
  EXPECT_EQ(profile.forks, (std::vector<ForkPlace>{{2, fork_number(*region, kThread)}}));
  EXPECT_NE(fork_number(*region, kThread), fork_number(*region, kThread + 1));
}

TEST(ProfileMemory, PathsWithoutTheirParentAreLeftOut) {
  OneSlab slab;
  PathNode elsewhere;
  PathNode* const lost = slab.add(2, &elsewhere, 1, 0, 5);
  slab.add(3, lost, 1, 0, 5);
  EXPECT_EQ(slab.decode().nodes.size(), 2u);
  elsewhere.parent = lost;
  lost->parent = lost;  // a circle
  EXPECT_EQ(slab.decode().nodes.size(), 2u);
}

TEST(ProfileMemory, AnyBytesAreRead) {
  std::mt19937_64 random(3);
  const OneSlab whole;
  for (int round = 0; round < 5000; ++round) {
    Bytes bytes(whole.bytes, whole.bytes + random() % (OneSlab::kBytes + 1));
    for (int i = 0; i < 3 && !bytes.empty(); ++i)
      bytes[random() % std::min<std::size_t>(bytes.size(), 400)] = static_cast<std::uint8_t>(random());
    const Profile profile = decode_profile_memory({std::span<const std::uint8_t>(bytes)}, kThread);
    for (std::size_t i = 0; i < profile.nodes.size(); ++i)
      EXPECT_TRUE(profile.nodes[i].parent == ProfileNode::kNoParent || profile.nodes[i].parent < i);
  }
}

}  // namespace
}  // namespace tarry

// profile_tree_test.cpp -- call paths, their visits and times.
#include "measure/core/profile_tree.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>

#include "archive/profile_codec.hpp"
#include "measure/core/block_pool.hpp"
#include "trace/container.hpp"

namespace tarry::measure {
namespace {

// Call paths as "0/3/2", so that the order of siblings does not matter.
std::map<std::string, ProfileNode> paths_in(const ByteWriter& bytes) {
  const auto nodes = decode_profile(bytes.bytes());
  EXPECT_TRUE(nodes.ok());
  std::map<std::string, ProfileNode> paths;
  std::vector<std::string> names;
  for (const ProfileNode& node : nodes.value().nodes) {
    const std::string name = std::to_string(node.region);
    names.push_back(node.parent == ProfileNode::kNoParent ? name : names[node.parent] + "/" + name);
    paths[names.back()] = node;
  }
  return paths;
}

std::map<std::string, ProfileNode> paths_of(ProfileTree& tree) {
  ByteWriter bytes;
  tree.encode(bytes);
  return paths_in(bytes);
}

TEST(ProfileTree, EncodesWhatIsOpenAsIfItEndedAndGoesOn) {
  ProfileTree tree;
  tree.enter(100, 0);
  tree.enter(110, 1);
  tree.leave(115);
  tree.enter(120, 1);
  ByteWriter bytes;
  ASSERT_TRUE(tree.encode_so_far(150, bytes));
  const auto so_far = paths_in(bytes);
  EXPECT_EQ(so_far.at("0").time, 50);
  EXPECT_EQ(so_far.at("0").min_time, 50);
  EXPECT_EQ(so_far.at("0/1").visits, 2u);
  EXPECT_EQ(so_far.at("0/1").time, 35);
  EXPECT_EQ(so_far.at("0/1").min_time, 5);
  EXPECT_EQ(so_far.at("0/1").max_time, 30);
  tree.leave(121);
  tree.leave(200);
  const auto paths = paths_of(tree);
  EXPECT_EQ(paths.at("0").time, 100);
  EXPECT_EQ(paths.at("0/1").time, 6);
  EXPECT_EQ(paths.at("0/1").max_time, 5);
}

TEST(ProfileTree, ARunningIterationIsNotEndedByEncodingSoFar) {
  ProfileTree one, other;
  for (ProfileTree* tree : {&one, &other}) {
    tree->enter(0, 0);
    for (int i = 0; i < 5; ++i) {
      tree->begin_iteration(7, 1000 + i, 4);
      tree->enter(10 * i + 1, 7);
      ByteWriter bytes;
      if (tree == &one) {
        EXPECT_TRUE(tree->encode_so_far(10 * i + 2, bytes));
      }
      tree->leave(10 * i + 6);
    }
    tree->leave(100);
  }
  ByteWriter with, without;
  one.encode(with);
  other.encode(without);
  EXPECT_EQ(with.bytes(), without.bytes());
}

TEST(ProfileTree, SumsVisitsTimesAndBytes) {
  ProfileTree tree;
  tree.enter(100, 0);
  for (int i = 0; i < 3; ++i) {
    tree.enter(110 + 20 * i, 1);
    tree.count_send(0, 0, 8);
    tree.leave(111 + 20 * i + i);
    tree.enter(115 + 20 * i, 2);
    tree.count_receive(16);
    tree.leave(119 + 20 * i);
  }
  tree.leave(200);
  const auto paths = paths_of(tree);
  ASSERT_EQ(paths.size(), 3u);
  EXPECT_EQ(paths.at("0").visits, 1u);
  EXPECT_EQ(paths.at("0").time, 100);
  EXPECT_EQ(paths.at("0/1").visits, 3u);
  EXPECT_EQ(paths.at("0/1").time, 6);
  EXPECT_EQ(paths.at("0/1").min_time, 1);
  EXPECT_EQ(paths.at("0/1").max_time, 3);
  EXPECT_EQ(paths.at("0/1").transfers[Transfer::kBytesSent], 24u);
  EXPECT_EQ(paths.at("0/1").transfers[Transfer::kSends], 3u);
  EXPECT_EQ(paths.at("0/2").time, 12);
  EXPECT_EQ(paths.at("0/2").transfers[Transfer::kBytesReceived], 48u);
}

// 0: the program, 1: a parallel region, 2: a function, 3: taskwait, 4 and 5: tasks.
TEST(ProfileTree, TasksOfAConstructShareOnePathHoweverTheyWaitForEachOther) {
  ProfileTree tree;
  tree.enter(0, 0);
  tree.enter(10, 1);
  tree.mark_parallel();
  tree.enter(11, 2);
  tree.enter(12, 3);
  tree.enter_task(20, 4);
  tree.enter(21, 2);
  tree.enter(23, 3);
  tree.enter_task(30, 4);
  tree.enter(31, 2);
  tree.leave(34);
  ByteWriter bytes;
  ASSERT_TRUE(tree.encode_so_far(35, bytes));
  const auto so_far = paths_in(bytes);
  EXPECT_EQ(so_far.at("0").time, 35);
  EXPECT_EQ(so_far.at("0/1/4").time, 10 + 5);
  EXPECT_EQ(so_far.at("0/1/2").time, 9);
  tree.leave(36);
  tree.enter_task(40, 5);
  tree.leave(42);
  EXPECT_EQ(tree.depth(), 7u);
  tree.leave(50);
  tree.leave(51);
  tree.leave(52);
  EXPECT_EQ(tree.depth(), 4u);
  tree.enter_task(60, 4);
  tree.leave(63);
  tree.leave(70);
  tree.leave(71);
  tree.leave(80);
  tree.leave(100);
  const auto paths = paths_of(tree);
  EXPECT_EQ(paths.size(), 8u);
  EXPECT_EQ(paths.at("0").time, 100);
  EXPECT_EQ(paths.at("0/1").time, 70);
  EXPECT_EQ(paths.at("0/1/2").time, 60 - 32 - 3);
  EXPECT_EQ(paths.at("0/1/2/3").time, 58 - 32 - 3);
  EXPECT_EQ(paths.at("0/1/4").visits, 3u);
  EXPECT_EQ(paths.at("0/1/4").time, (32 - 6 - 2) + 6 + 3);
  EXPECT_EQ(paths.at("0/1/4").min_time, 3);
  EXPECT_EQ(paths.at("0/1/4").max_time, 24);
  EXPECT_EQ(paths.at("0/1/4/2").time, (30 - 6 - 2) + 3);
  EXPECT_EQ(paths.at("0/1/4/2/3").time, 27 - 6 - 2);
  EXPECT_EQ(paths.at("0/1/5").time, 2);
}

TEST(ProfileTree, TasksThatAreOpenAtTheEndAreLeft) {
  ProfileTree tree;
  tree.enter(0, 0);
  tree.enter(1, 3);
  tree.enter_task(5, 4);
  tree.enter(6, 3);
  tree.enter_task(8, 4);
  tree.close(10);
  const auto paths = paths_of(tree);
  EXPECT_EQ(paths.at("0").time, 10);
  EXPECT_EQ(paths.at("0/3").time, 4);
  EXPECT_EQ(paths.at("0/4").time, 2 + 3);
  EXPECT_EQ(paths.at("0/4").min_time, 2);
  EXPECT_EQ(paths.at("0/4/3").time, 2);
}

std::size_t mapped_pages() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages;
}

TEST(ProfileTree, ReleaseGivesBackWhatTasksHaveTaken) {
  constexpr int kTrees = 200;
  const auto run_tasks = [] {
    ProfileTree tree;
    tree.enter(0, 0);
    tree.enter(1, 3);
    tree.enter_task(5, 4);
    tree.close(10);
    paths_of(tree);
    tree.release();
  };
  run_tasks();
  const std::size_t before = mapped_pages();
  for (int i = 0; i < kTrees; ++i) run_tasks();
  EXPECT_LT(mapped_pages(), before + kTrees);
}

TEST(ProfileTree, AVisitOfSeveralCallsCountsAsSoManyOfTheSameLength) {
  ProfileTree tree;
  tree.enter(100, 0);
  tree.enter(110, 1);
  tree.leave(113);
  tree.visit(120, 1, 25, 10);
  tree.visit(150, 1, 2, 1);
  tree.leave(200);
  const auto paths = paths_of(tree);
  EXPECT_EQ(paths.at("0/1").visits, 12u);
  EXPECT_EQ(paths.at("0/1").time, 30);
  EXPECT_EQ(paths.at("0/1").min_time, 2);
  EXPECT_EQ(paths.at("0/1").max_time, 3);
  EXPECT_EQ(paths.at("0/1").trace_events, 3 * 2 + 1u);
}

// What the records of a trace take is counted as they are encoded.
TEST(ProfileTree, CountsWhatATraceWouldTake) {
  for (const std::uint64_t delta : {1ull, 4095ull, 4096ull, 1ull << 20, 1ull << 28, 1ull << 40})
    for (const std::uint32_t region : {3u, 300u, 70'000u}) {
      ProfileTree tree;
      std::uint8_t records[256];
      std::uint8_t* at = encode_enter(records, delta, region);
      tree.enter(static_cast<Ticks>(delta), region);
      at = encode_fields(at, EventKind::kMpiSend, delta, 1, 0, 200, 1 << 20);
      tree.count_event(static_cast<Ticks>(2 * delta), 1, 0, 200, 1 << 20);
      at = encode_leave(at, delta);
      tree.leave(static_cast<Ticks>(3 * delta));
      const auto paths = paths_of(tree);
      const ProfileNode& node = paths.at(std::to_string(region));
      EXPECT_EQ(node.trace_events, 3u);
      EXPECT_EQ(node.trace_bytes, static_cast<Bytes>(at - records)) << delta << " " << region;
    }
}

// The calls of a file's place, as their short records take it: one that ends soon, and one with records of its own.
TEST(ProfileTree, CountsWhatTheRecordsOfFileCallsTake) {
  ProfileTree tree;
  std::uint8_t records[256];
  tree.enter(10, 1);
  tree.enter(20, 7);
  tree.count_record(EventKind::kIoOperationComplete, 21, 2, 100, 9);
  tree.count_file_operation(2, true, 100);
  const ProfileTree::FilePlace place = tree.open_file_place(2);
  ASSERT_TRUE(place.path);
  std::uint8_t* at = encode_enter(records, 10, 7);
  at = encode_fields(at, EventKind::kIoOperationComplete, 1, 2, 100, 9);
  tree.leave(22);
  at = encode_leave(at, 1);
  const std::uint8_t* const pattern = at;
  at = encode_pattern(at, {.region = 7, .handle = 2, .mode = 1, .matching = 9, .moved = 100});
  tree.count_pattern(place, static_cast<Bytes>(at - pattern));
  for (const Ticks spent : {60'000, 70'000}) {
    const Ticks begun = tree.last_time() + 5000;
    ASSERT_TRUE(tree.would_enter(place) && tree.is_soon(begun));
    tree.begin_operation(place, begun);
    ASSERT_TRUE(tree.is_latest(place, begun));
    tree.prepare_end(place, true, 100);
    if (spent < 65'536) {
      tree.finish_end(place, begun + spent, spent);
      at += kWholeCallBytes;
    } else {
      tree.finish_late_end(place, begun + spent, 3);
      at += kBegunCallBytes;
      at = encode_fields(at, EventKind::kIoOperationComplete, static_cast<std::uint64_t>(spent), 2, 100, 9);
      at = encode_leave(at, 0);
    }
  }
  tree.leave(tree.last_time());
  const auto paths = paths_of(tree);
  const ProfileNode& node = paths.at("1/7");
  EXPECT_EQ(node.trace_events, 3u + 2 * 4);
  EXPECT_EQ(node.trace_bytes, static_cast<Bytes>(at - records));
  EXPECT_EQ(node.visits, 3u);
  EXPECT_EQ(node.time, 2 + 60'000 + 70'000);
  EXPECT_EQ(node.transfers[Transfer::kBytesWritten], 300u);
}

TEST(ProfileTree, RecursionMakesDeeperPathsAndCloseLeavesThem) {
  ProfileTree tree;
  for (int depth = 0; depth < 5000; ++depth) tree.enter(depth, 4);
  tree.close(10'000);
  const auto paths = paths_of(tree);
  EXPECT_EQ(paths.size(), 5000u);
  EXPECT_EQ(paths.at("4").time, 10'000);
  EXPECT_EQ(paths.at("4/4").time, 9'999);
}

// The region 1 is a loop; each tenth iteration calls 3, others 2.
TEST(ProfileTree, IterationsAreClusteredWithWhatTheyCall) {
  ProfileTree tree;
  Ticks time = 0;
  tree.enter(time, 0);
  for (int i = 0; i < 1000; ++i) {
    tree.begin_iteration(1, 5000 + i, 64);
    tree.enter(time, 1);
    const bool is_long = i % 10 == 9;
    tree.enter(time, is_long ? 3 : 2);
    tree.count_send(0, 0, 7);
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

TEST(ProfileTree, ForgottenPathsAreGone) {
  ProfileTree tree;
  tree.enter(0, 0);
  tree.enter(0, 1);
  PathNode* const path = tree.open_path();
  tree.enter(0, 2);
  tree.leave(5);
  tree.leave(5);
  tree.forget(*path);
  EXPECT_EQ(paths_of(tree).size(), 1u);
  tree.enter(6, 1);
  tree.leave(8);
  tree.close(10);
  EXPECT_EQ(paths_of(tree).at("0/1").time, 2);
}

TEST(ProfileTree, ManyChildrenAreToldApart) {
  ProfileTree tree;
  tree.enter(0, 0);
  for (int round = 0; round < 3; ++round)
    for (std::uint32_t region = 1; region <= 2000; ++region) {
      tree.enter(region, region);
      tree.leave(region + 1);
    }
  tree.close(5000);
  const auto paths = paths_of(tree);
  ASSERT_EQ(paths.size(), 2001u);
  for (const auto& [name, node] : paths) EXPECT_EQ(node.visits, name == "0" ? 1u : 3u) << name;
}

// What happens goes to the innermost path; of a level stays the highest that was seen in it, its ends included.
TEST(ProfileTree, CountersGoToTheOpenPath) {
  ProfileTree tree;
  const std::uint32_t ids[] = {4, 7};
  const bool levels[] = {false, true};
  tree.use_counters(ids, levels);
  const auto step = [&](std::uint64_t count, std::uint64_t level, auto change) {
    const std::uint64_t values[] = {count, level};
    tree.count(values);
    change();
    tree.raise(values);
  };
  step(10, 100, [&] { tree.enter(1, 0); });
  step(15, 300, [&] { tree.enter(2, 1); });
  step(22, 200, [&] { tree.enter(3, 1); });
  step(23, 900, [&] { tree.leave(4); });
  step(30, 250, [&] { tree.leave(5); });
  step(32, 50, [&] { tree.leave(6); });
  ByteWriter bytes;
  tree.encode(bytes);
  const auto profile = decode_profile(bytes.bytes());
  ASSERT_TRUE(profile.ok());
  EXPECT_EQ(profile.value().counters, (std::vector<std::uint32_t>{4, 7}));
  // Paths 0, 0/1, 0/1/1.
  EXPECT_EQ(profile.value().counter_values, (std::vector<std::uint64_t>{5 + 2, 300, 7 + 7, 900, 1, 900}));
}

TEST(ProfileTree, CountsWhatMetricRecordsWouldTake) {
  ProfileTree tree;
  const std::uint32_t ids[] = {0, 3};
  const bool levels[] = {false, false};
  tree.use_counters(ids, levels);
  const std::uint64_t values[] = {70'000, 1};
  std::uint8_t records[256];
  std::uint8_t* at = encode_fields(records, EventKind::kMetric, 5000, ids[0], values[0]);
  at = encode_fields(at, EventKind::kMetric, 0, ids[1], values[1]);
  EXPECT_EQ(tree.metric_bytes(5000, ids, values), static_cast<Bytes>(at - records));
}

// A program that calls so many functions from one place; walking through all siblings each time would take hours.
TEST(ProfileTree, AWorkersRegionsAreBelowAPathOfAnotherThread) {
  ProfileTree forker, worker;
  forker.enter(0, 0);
  const PathNode* const first = forker.mark_fork();
  forker.enter(10, 1);
  const PathNode* const nested = forker.mark_fork();
  for (const PathNode* fork : {first, nested, first}) {
    worker.begin_team(fork);
    worker.enter(20, 5);
    worker.add_management(*worker.open_path(), Transfer::kForkTime, 7);
    EXPECT_EQ(worker.depth(), 1u);
    worker.leave(22);
    worker.end_team();
  }
  worker.begin_team(nested);
  worker.enter(30, 5);
  worker.close(33);
  forker.close(40);
  ByteWriter of_forker, of_worker;
  forker.encode(of_forker);
  worker.encode(of_worker);
  const Profile forks = decode_profile(of_forker.bytes()).value(), teams = decode_profile(of_worker.bytes()).value();
  ASSERT_EQ(forks.forks.size(), 2u);
  ASSERT_EQ(teams.teams.size(), 2u);
  ASSERT_EQ(teams.nodes.size(), 2u);
  for (const ForkPlace& team : teams.teams) {
    const bool is_nested = team.fork == forks.forks[1].fork;
    EXPECT_EQ(forks.nodes[forks.forks[is_nested].node].region, is_nested ? 1u : 0u);
    const ProfileNode& node = teams.nodes[team.node];
    EXPECT_EQ(node.parent, ProfileNode::kNoParent);
    EXPECT_EQ(node.visits, 2u);
    EXPECT_EQ(node.time, is_nested ? 2 + 7 + 3 : 2 * (2 + 7));
    EXPECT_EQ(node.transfers[Transfer::kForkTime], is_nested ? 7u : 14u);
  }
  EXPECT_EQ(ProfileTree().mark_fork(), nullptr);
}

TEST(ProfileTree, ReceiversOfMessagesAreToldApartWhileThereAreNotTooMany) {
  ProfileTree tree;
  tree.enter(0, 0);
  for (int round = 0; round < 2; ++round)
    for (std::uint32_t receiver = 0; receiver < kMostReceivers + 10; ++receiver)
      tree.count_send(receiver % 3, receiver, receiver);
  tree.leave(1);
  ByteWriter bytes;
  tree.encode(bytes);
  const auto profile = decode_profile(bytes.bytes());
  ASSERT_TRUE(profile.ok());
  const std::vector<ReceiverCount>& receivers = profile.value().receivers;
  ASSERT_EQ(receivers.size(), kMostReceivers + 1);
  EXPECT_EQ(receivers[0].comm, ReceiverCount::kOthers);
  EXPECT_EQ(receivers[0].messages, 20u);
  const auto count = std::ranges::find(receivers, 1000u, &ReceiverCount::receiver);
  ASSERT_NE(count, receivers.end());
  EXPECT_EQ(*count, (ReceiverCount{.comm = 1, .receiver = 1000, .messages = 2, .bytes = 2000}));
}

TEST(ProfileTree, FilesHaveTheTimeOfTheirRecords) {
  ProfileTree tree;
  tree.enter(0, 0);
  tree.enter(100, 1);
  tree.count_record(EventKind::kIoOperationBegin, 100, 7u, 0u, 0u, 0u, 0u);
  tree.count_record(EventKind::kIoOperationComplete, 130, 7u, 64u, 0u);
  tree.count_file_operation(7, false, 64);
  tree.count_record(EventKind::kIoDestroyHandle, 135, 7u);
  tree.leave(140);
  tree.enter(150, 2);
  tree.count_record(EventKind::kIoCreateHandle, 153, 7u, 0u, 0u, 0u);
  tree.leave(153);
  for (std::uint32_t file = 10; file < kMostFiles + 20; ++file) tree.count_file_operation(file, true, 1);
  tree.leave(200);
  ByteWriter bytes;
  tree.encode(bytes);
  const auto profile = decode_profile(bytes.bytes());
  ASSERT_TRUE(profile.ok());
  const std::vector<FileCount>& files = profile.value().files;
  ASSERT_EQ(files.size(), kMostFiles + 1);
  EXPECT_EQ(files[0], (FileCount{.writes = 11, .bytes_written = 11}));  // all others
  EXPECT_EQ(files.back(), (FileCount{.file = 7, .opens = 1, .reads = 1, .bytes_read = 64, .time = 38}));
  EXPECT_EQ(profile.value().nodes[1].transfers[Transfer::kFileOperations], 1u);
}

TEST(ProfileTree, AMillionSiblings) {
  constexpr std::uint32_t kSiblings = 1'000'000;
  ProfileTree tree;
  tree.enter(0, 0);
  for (int round = 0; round < 2; ++round)
    for (std::uint32_t region = 1; region <= kSiblings; ++region) {
      tree.enter(region, region);
      tree.leave(region + 1);
    }
  tree.leave(kSiblings + 1);
  ByteWriter bytes;
  tree.encode(bytes);
  const auto profile = decode_profile(bytes.bytes());
  ASSERT_TRUE(profile.ok());
  ASSERT_EQ(profile.value().nodes.size(), kSiblings + 1);
  for (std::uint32_t i = 1; i <= kSiblings; ++i) {
    ASSERT_EQ(profile.value().nodes[i].region, i);
    ASSERT_EQ(profile.value().nodes[i].visits, 2u);
  }
}

// As in a loop that calls some functions in turns, where others were called before it.
TEST(ProfileTree, TheSiblingThatFollowedTheLastTimeIsFoundAtOnce) {
  for (const std::uint32_t before : {0u, 1u, 2u, 20u, 100u})
    for (const std::uint32_t members : {1u, 2u, 3u, 7u}) {
      ProfileTree tree;
      tree.enter(0, 0);
      Ticks time = 0;
      const auto visit = [&](std::uint32_t region) {
        tree.enter(++time, region);
        tree.leave(++time);
      };
      for (std::uint32_t i = 0; i < before; ++i) visit(100 + i);
      for (std::uint32_t i = 0; i < members; ++i) visit(1 + i);
      visit(1);
      for (std::uint32_t i = 1; i < 3 * members; ++i) {
        ASSERT_TRUE(tree.enter_quickly(++time, 1 + i % members)) << before << " " << members << " " << i;
        ASSERT_TRUE(tree.leave_quickly(++time));
      }
      tree.close(++time);
      EXPECT_EQ(paths_of(tree).at("0/1").visits, 4u) << before << " " << members;
    }
}

// With an index and without, a new child stands behind the one that was entered before it. A profile ends with the one
// that was entered last.
TEST(ProfileTree, ASiblingStandsBehindTheOneThatWasEnteredBeforeItsFirstVisit) {
  for (const std::uint32_t count : {5u, 31u, 34u, 35u, 200u, 3000u}) {
    ProfileTree tree;
    std::vector<std::uint32_t> ring;
    auto latest = ring.end();
    tree.enter(0, 2 * count);
    std::uint32_t region = 0;
    for (std::uint32_t step = 1; step <= 6 * count; ++step) {
      region = (region * 5 + step * step) % count + (step > 3 * count ? count / 2 : 0);
      tree.enter(step, region);
      tree.leave(step);
      const auto known = std::find(ring.begin(), ring.end(), region);
      latest = known != ring.end() ? known : ring.insert(latest == ring.end() ? latest : latest + 1, region);
    }
    tree.leave(7 * count);
    ByteWriter bytes;
    tree.encode(bytes);
    const auto profile = decode_profile(bytes.bytes());
    ASSERT_TRUE(profile.ok());
    std::rotate(ring.begin(), latest + 1, ring.end());
    ASSERT_EQ(profile.value().nodes.size() - 1, ring.size());
    for (std::size_t i = 0; i < ring.size(); ++i) EXPECT_EQ(profile.value().nodes[i + 1].region, ring[i]) << count;
  }
}

// What the slabs of a tree take beyond the first, for each of `kPaths` call paths.
template <class Visit>
double spooled_bytes_each(std::size_t counters, Visit visit) {
  constexpr std::uint32_t kPaths = 40'000, kSiblings = 20;  // few: without an index
  const std::string name = testing::TempDir() + "profile_tree." + std::to_string(::getpid());
  const std::string path = name + ".spool";
  BlockPool pool;
  pool.open({.container = name + ".tev", .spool = path, .memory = 1 << 20});
  ProfileTree tree;
  const std::vector<std::uint32_t> ids(counters, 0);
  tree.use_counters(ids, std::span<const bool>(std::array<bool, 8>{}).first(counters));
  tree.outlive_process(pool, 0, 0);
  for (std::uint32_t i = 0; i < kPaths / kSiblings; ++i) {
    tree.enter(i, 0);  // ever deeper
    for (std::uint32_t region = 1; region < kSiblings; ++region) {
      tree.enter(i, region);
      visit(tree);
      tree.leave(i);
    }
  }
  const auto spool = Container::open(path);
  EXPECT_TRUE(spool.ok());
  const auto slabs = std::ranges::count_if(
      spool.value().chunks(), [](const ChunkRef& chunk) { return chunk.header.kind == ChunkKind::kProfileMemory; });
  pool.remove_spool();
  return static_cast<double>((slabs - 1) * static_cast<std::ptrdiff_t>(kBlockBytes)) / kPaths;
}

// docs/INSTRUMENTING.md names these figures, and this test.
TEST(ProfileTree, TakesTheMemoryThatTheManualTells) {
  const auto nothing = [](ProfileTree&) {};
  EXPECT_NEAR(spooled_bytes_each(0, nothing), 120, 7);  // a slab is seven bytes of a path
  EXPECT_NEAR(spooled_bytes_each(2, nothing), 120 + 2 * 8, 7);
  const auto send = [](ProfileTree& tree) { tree.count_send(0, 1, 8); };
  EXPECT_NEAR(spooled_bytes_each(0, send), 120 + 0.95 * 152, 7);  // 19 of 20 paths send
  const auto send_to_others = [to = 0u](ProfileTree& tree) mutable { tree.count_send(0, to++ % 4096, 8); };
  EXPECT_NEAR(spooled_bytes_each(0, send_to_others) - spooled_bytes_each(0, send), 32 * 4096 / 40'000.0, 7);
}

}  // namespace
}  // namespace tarry::measure

// sequence_codec_test.cpp -- definitions of runs in few bytes: nothing is lost, regular ones stay small, damage is
// noticed.
#include "defs/sequence_codec.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "defs/definition_codec.hpp"

namespace tarry {
namespace {

std::vector<std::uint8_t> plain_bytes(const Definitions& all) {
  ByteWriter out;
  encode_definitions(out, all);
  return out.bytes();
}

std::vector<std::uint8_t> run_bytes(const Definitions& all) {
  ByteWriter out;
  encode_run_definitions(out, all);
  return out.bytes();
}

void expect_kept(const Definitions& all) {
  Definitions again;
  ASSERT_TRUE(decode_definitions(run_bytes(all), again).ok());
  EXPECT_EQ(plain_bytes(again), plain_bytes(all));
}

// `threads_of` and `events_of` say what differs; nodes have eight processes.
template <class Threads, class Events>
Definitions run_of(std::uint32_t ranks, Threads threads_of, Events events_of) {
  Definitions all;
  const auto text = [&](const std::string& string) { return all.strings.intern(string); };
  all.system_nodes.push_back({text("cluster"), text("machine"), {}});
  all.comms.push_back({text("MPI_COMM_WORLD"), 0, GroupId(0), {}, {}, 0, 0, false});
  all.groups.push_back({text("MPI_COMM_WORLD"), {}});
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    if (rank % 8 == 0) {
      const std::string number = std::to_string(rank / 8);
      all.system_nodes.push_back({text("node" + std::string(4 - std::min<std::size_t>(4, number.size()), '0') + number),
                                  text("node"), SystemNodeId(0)});
    }
    all.processes.push_back(
        {text("rank " + std::to_string(rank)), rank, SystemNodeId(all.system_nodes.size() - 1), true});
    for (std::uint32_t t = 0; t < threads_of(rank); ++t)
      all.locations.push_back(
          {text(t ? "thread " + std::to_string(t) : "master"), ProcessId(rank), t, events_of(rank, t)});
    all.groups[0].members.push_back(rank);
    all.groups.push_back({text("MPI_COMM_SELF"), {rank}});
    all.comms.push_back({text("MPI_COMM_SELF"),
                         Communicator::kSelfUidBase + rank,
                         GroupId(all.groups.size() - 1),
                         {},
                         {},
                         0,
                         0,
                         false});
  }
  return all;
}

Definitions homogeneous(std::uint32_t ranks) {
  return run_of(ranks, [](std::uint32_t) { return 4u; }, [](std::uint32_t, std::uint32_t) { return 1000u; });
}

TEST(SequenceCodecTest, HomogeneousRunsAreOfConstantSize) {
  expect_kept(homogeneous(64));
  const std::size_t few = run_bytes(homogeneous(64)).size(), many = run_bytes(homogeneous(8192)).size();
  EXPECT_LT(few, 500u);
  EXPECT_LT(many, few + 100);
  expect_kept(homogeneous(8192));
}

TEST(SequenceCodecTest, NothingOfIrregularRunsIsLost) {
  std::mt19937 random(9);
  for (int round = 0; round < 20; ++round) {
    Definitions all = run_of(
        40, [&](std::uint32_t) { return static_cast<std::uint32_t>(random() % 4); },
        [&](std::uint32_t, std::uint32_t) { return static_cast<std::uint32_t>(random() % 100000); });
    std::shuffle(all.groups[0].members.begin(), all.groups[0].members.end(), random);
    all.groups[0].members[3] = 0xffffffffu;
    all.processes[5].is_complete = false;
    all.processes[9].node = {};
    all.processes[39].rank = 77;
    if (round % 2) std::swap(all.processes[1].node, all.processes[30].node);
    all.comms[2].parent = CommId(0);
    all.comms[3].is_inter = true;
    all.comms[3].remote_group = GroupId(1);
    for (const char* name : {"", "007", "18446744073709551616", "a1b2c", "99999999999999999999x", "node-0"})
      all.processes[random() % 40].name = all.strings.intern(name);
    expect_kept(all);
  }
}

TEST(SequenceCodecTest, WhatIsNoTreeStaysPlain) {
  Definitions all = homogeneous(16);
  all.system_nodes.push_back({all.strings.intern("empty"), all.strings.intern("node"), SystemNodeId(0)});
  expect_kept(all);
  all = homogeneous(16);
  std::swap(all.locations[3], all.locations[9]);
  expect_kept(all);
  all = homogeneous(16);
  all.locations[3].thread = 7;
  expect_kept(all);
  all = homogeneous(16);
  all.system_nodes[1].class_name = all.strings.intern("process");
  expect_kept(all);
  expect_kept(Definitions());
}

TEST(SequenceCodecTest, ColumnsKeepAnyNumbers) {
  std::mt19937_64 random(4);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::uint64_t> numbers;
    while (numbers.size() < static_cast<std::size_t>(round)) {
      const std::uint64_t first = random() >> (random() % 64), step = random() % 3 ? random() % 5 : random();
      for (std::uint64_t i = 0; i <= random() % 9; ++i) numbers.push_back(first + i * step);
    }
    ByteWriter out;
    encode_column(out, numbers);
    ByteReader in(out.bytes());
    EXPECT_EQ(decode_column(in, numbers.size()), numbers);
    EXPECT_FALSE(in.failed());
    EXPECT_EQ(in.left(), 0u);
    ByteReader again(out.bytes());
    if (!numbers.empty()) decode_column(again, numbers.size() - 1);
    EXPECT_EQ(again.failed(), !numbers.empty());
  }
}

TEST(SequenceCodecTest, DamageNeverCrashesAndCostsLittle) {
  const auto sound = run_bytes(homogeneous(64));
  std::mt19937 random(2);
  for (int round = 0; round < 2000; ++round) {
    auto bytes = sound;
    for (unsigned i = 1 + random() % 3; i > 0; --i)
      bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
    Definitions all;
    (void)decode_definitions(bytes, all);
  }
  for (std::size_t size = 0; size < sound.size(); ++size) {
    Definitions all;
    (void)decode_definitions(std::span(sound).first(size), all);
  }
}

// Too deep for sequences, whose levels are copied and call themselves: it is kept as it is.
TEST(SequenceCodec, AChainOfNodes) {
  for (const std::size_t depth : {50u, 61u, 62u, 100u, 300'000u}) {
    Definitions all = homogeneous(4);
    const StringId name = all.strings.intern("box");
    while (all.system_nodes.size() < depth)
      all.system_nodes.push_back({name, name, SystemNodeId(all.system_nodes.size() - 1)});
    for (Process& process : all.processes) process.node = SystemNodeId(all.system_nodes.size() - 1);
    expect_kept(all);
  }
}

}  // namespace
}  // namespace tarry

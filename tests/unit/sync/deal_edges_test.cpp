// deal_edges_test.cpp -- slots come to the process of their clock, and links lead to the other parts of a junction.
#include <gtest/gtest.h>

#include <map>
#include <mutex>

#include "sample_edges.hpp"

namespace tarry {
namespace {

constexpr int kProcesses = 3;
constexpr std::uint32_t kClocks = 7;

// Junctions with an identity: number n has all its times at n seconds.
CrossEdges numbered_junctions() {
  std::mt19937 random(3);
  CrossEdges edges;
  edges.latency = 9;
  for (int n = 0; n < 100; ++n) {
    std::vector<ClockSlot> slots{{.cause = at(n), .clock = ClockId(0)}};
    for (std::uint32_t c = 1; c < kClocks; ++c)
      if (random() % 3 == 0 || c == 1 + n % (kClocks - 1)) slots.push_back({.effect = at(n), .clock = ClockId(c)});
    add_junction(edges, slots);
  }
  return edges;
}

Ticks identity(const CrossEdges& edges, const Junction& junction) {
  const ClockSlot& slot = edges.slots_of(junction)[0];
  return slot.cause != kNoTime ? slot.cause : slot.effect;
}

struct Dealt {
  CrossEdges of_process[kProcesses];

  explicit Dealt(const CrossEdges& all) {
    const ClockBlocks blocks(std::vector<double>(kClocks, 1), kProcesses);
    ThreadGroup::run(kProcesses, [&](Exchange& exchange) {
      const int rank = exchange.rank();
      CrossEdges found = part_of(all, [&](std::size_t j) { return static_cast<int>(j * 5 % 7 % kProcesses) == rank; });
      of_process[rank] = deal_edges(std::move(found), blocks, exchange);
      for (const ClockSlot& slot : of_process[rank].slots) EXPECT_TRUE(blocks.of(rank).contains(slot.clock));
    });
  }
};

TEST(DealEdges, AllSlotsArriveOnce) {
  const CrossEdges all = numbered_junctions();
  const Dealt dealt(all);
  std::map<std::tuple<Ticks, Ticks, ClockId>, int> slots;
  for (const ClockSlot& slot : all.slots) ++slots[{slot.cause, slot.effect, slot.clock}];
  for (const CrossEdges& edges : dealt.of_process) {
    EXPECT_EQ(edges.latency, 9);
    for (const ClockSlot& slot : edges.slots) --slots[{slot.cause, slot.effect, slot.clock}];
    for (const Junction& junction : edges.junctions) EXPECT_EQ(junction.unknown_causes, 1u);
  }
  for (const auto& [slot, left] : slots) EXPECT_EQ(left, 0);
}

TEST(DealEdges, LinksLeadToTheOtherParts) {
  const Dealt dealt(numbered_junctions());
  std::map<Ticks, int> parts, links;  // by junction
  for (int p = 0; p < kProcesses; ++p) {
    const CrossEdges& edges = dealt.of_process[p];
    for (const Junction& junction : edges.junctions) {
      const Ticks number = identity(edges, junction);
      ++parts[number];
      edges.for_each_link(junction, [&](const JunctionLink& link) {
        ++links[number];
        ASSERT_NE(static_cast<int>(link.process), p);
        const CrossEdges& there = dealt.of_process[link.process];
        EXPECT_EQ(identity(there, there.junctions[link.junction]), number);
        EXPECT_EQ(link.has_causes, there.slots_of(there.junctions[link.junction])[0].cause != kNoTime);
        EXPECT_TRUE(link.has_effects || link.process == 0);
      });
    }
  }
  for (const auto& [number, count] : parts) EXPECT_EQ(links[number], count * (count - 1));
}

}  // namespace
}  // namespace tarry

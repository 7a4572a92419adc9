// cross_edges_test.cpp -- the least latency between clocks.
#include <gtest/gtest.h>

#include "sample_edges.hpp"

namespace tarry {
namespace {

Ticks latency_of(const std::vector<SampleMessage>& all) {
  Exchange alone;
  return estimate_latency(messages(all), 1e9, alone);
}

TEST(Latency, HalfOfTheShortestWayThereAndBack) {
  EXPECT_EQ(latency_of({{0, 1, 1, 1.000012}, {1, 2, 0, 1.999994}}), 3000);
  EXPECT_EQ(latency_of({{0, 1, 1, 1.5}}), 1000);
  EXPECT_EQ(latency_of({{0, 1, 1, 1.5}, {1, 2, 0, 2.5}}), 10000);
}

// The way there is known to one process, the way back to another one.
TEST(Latency, WaysOfSeveralProcessesMeet) {
  const CrossEdges edges = messages({{0, 1, 1, 1.000012}, {1, 2, 0, 1.999994}, {0, 5, 2, 5.5}});
  ThreadGroup::run(3, [&](Exchange& exchange) {
    const CrossEdges part = part_of(edges, [&](std::size_t j) { return static_cast<int>(j) == exchange.rank(); });
    EXPECT_EQ(estimate_latency(part, 1e9, exchange), 3000);
  });
}

}  // namespace
}  // namespace tarry

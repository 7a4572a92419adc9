// amortize_test.cpp -- ramps before the jumps of the logical clock.
#include <gtest/gtest.h>

#include "sample_edges.hpp"

namespace tarry {
namespace {

// A send at 95 whose receiver has no room: the ramp begins only behind it.
TEST(Amortize, NoCauseOnTheRampPassesItsEffect) {
  const CrossEdges edges = messages({{0, 100, 1, 99.9}, {1, 95, 2, 95.01}});
  const ClockRun run(edges, 3);
  EXPECT_EQ(violations(edges, run.curves), 0u);
  EXPECT_NEAR(run.time(1, 95), 95.01 - 1e-6, 1e-8);
  EXPECT_GT(run.time(1, 99), 99.07);
}

TEST(Amortize, EventsOfOneTickStayTogether) {
  const CrossEdges edges = messages({{0, 100, 1, 99}, {1, 99, 2, 99.5}, {0, 100, 1, 99}});
  const ClockRun run(edges, 3);
  EXPECT_EQ(violations(edges, run.curves), 0u);
}

}  // namespace
}  // namespace tarry

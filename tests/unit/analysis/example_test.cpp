// example_test.cpp -- the pattern to copy from compiles, runs and finds nothing.
#include <gtest/gtest.h>

#include "analysis/waits/pattern.hpp"
#include "analysis_of.hpp"

namespace tarry {
namespace {

TEST(Example, LooksAtMessagesAndAddsNothing) {
  SyntheticTrace trace(2);
  trace.on(0).enter(0, "main").enter(5, "MPI_Send").send(5, 1).leave(6).leave(9);
  trace.on(1).enter(0, "main").enter(2, "MPI_Recv").recv(6, 0).leave(6).leave(9);
  AnalysisOf found(trace);
  const Compatibility compatibility;
  for (const LogicalRank& rank : found.trace().ranks()) {
    ThreadSeverities threads(rank.threads.size());
    RankWaits waits;
    example(RankContext{found.trace(), rank, {}, waits, threads, compatibility});
    EXPECT_TRUE(threads[0].is_empty());
  }
}

}  // namespace
}  // namespace tarry

// early_reduce_test.cpp -- waits by the formula of docs/METRICS.md, "Early Reduce".
#include <gtest/gtest.h>

#include "analysis_of.hpp"

namespace tarry {
namespace {

using enum Metric;

void add_reduce(SyntheticTrace& trace, Bytes root_receives, Bytes last_sends, Ticks root_ends = 1120) {
  trace.on(0).collective(855, root_ends, CollectiveOp::kReduce, {.root = 0, .received = root_receives});
  trace.on(1).collective(1005, 1010, CollectiveOp::kReduce, {.root = 0, .received = 0});
  trace.on(2).collective(1105, 1110, CollectiveOp::kReduce, {.root = 0, .sent = last_sends, .received = 0});
}

TEST(EarlyReduce, TheRootWaitsForTheLastSender) {
  SyntheticTrace trace(3);
  add_reduce(trace, 24, 8);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kEarlyReduce, "MPI_Reduce", 0), 250);
  EXPECT_EQ(found.total(kEarlyReduce), 250);
  EXPECT_FALSE(found.waits().ranks[1].collectives[0].is_synchronised);
  EXPECT_TRUE(found.waits().ranks[2].collectives[0].is_synchronised);
}

TEST(EarlyReduce, WhoSendsNothingKeepsNobodyWaiting) {
  SyntheticTrace trace(3);
  add_reduce(trace, 24, 0);
  EXPECT_EQ(AnalysisOf(trace).total(kEarlyReduce), 150);
}

TEST(EarlyReduce, ARootThatReceivesNothingDoesNotWait) {
  SyntheticTrace trace(3);
  add_reduce(trace, 0, 8);
  EXPECT_EQ(AnalysisOf(trace).total(kEarlyReduce), 0);
}

TEST(EarlyReduce, EndsWithTheOperationAtTheLatest) {
  SyntheticTrace trace(3);
  add_reduce(trace, 24, 8, 900);
  EXPECT_EQ(AnalysisOf(trace).total(kEarlyReduce), 45);
}

TEST(EarlyReduce, ARootThatComesLastOrTogetherWithTheLastDoesNotWait) {
  for (const Ticks begin : {5, 6}) {
    SyntheticTrace trace(2);
    trace.on(0).collective(begin, 9, CollectiveOp::kGather, {.root = 0});
    trace.on(1).collective(5, 7, CollectiveOp::kGather, {.root = 0, .received = 0});
    AnalysisOf found(trace);
    EXPECT_EQ(found.total(kEarlyReduce), 0) << begin;
    EXPECT_FALSE(found.waits().ranks[0].collectives[0].is_synchronised) << begin;
  }
}

}  // namespace
}  // namespace tarry

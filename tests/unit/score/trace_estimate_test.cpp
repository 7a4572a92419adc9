// trace_estimate_test.cpp -- records and bytes of events, from what a summary says.
#include "score/trace_estimate.hpp"

#include <gtest/gtest.h>

namespace tarry {
namespace {

ReportRegion region(const char* name, const char* paradigm, const char* role) {
  ReportRegion made;
  made.name = name;
  made.paradigm = paradigm;
  made.role = role;
  return made;
}

PathFacts visits(double count) {
  PathFacts facts;
  facts.visits = count;
  facts.seconds = count * 1e-6;
  facts.min_seconds = facts.max_seconds = 1e-6;
  return facts;
}

constexpr double kTicks = 1e9;

TEST(TraceEstimate, AVisitIsEnterAndLeave) {
  const PathRecords records = estimate_records(region("solve", "compiler", "function"), visits(100), kTicks);
  EXPECT_DOUBLE_EQ(records.events, 200);
  EXPECT_GT(records.buffer_bytes, 400);  // a code and a time each
  EXPECT_LT(records.buffer_bytes, 1200);
}

TEST(TraceEstimate, NothingVisitedIsNothingRecorded) {
  EXPECT_DOUBLE_EQ(estimate_records(region("solve", "compiler", "function"), {}, kTicks).events, 0);
}

TEST(TraceEstimate, CallsOfMpiRecordWhatTheyAreFor) {
  const auto events = [](const char* name, const char* role) {
    return estimate_records(region(name, "mpi", role), visits(10), kTicks).events;
  };
  EXPECT_DOUBLE_EQ(events("MPI_Send", "point2point"), 30);
  EXPECT_DOUBLE_EQ(events("mpi_send_", "point2point"), 30);  // as Fortran compilers spell it
  EXPECT_DOUBLE_EQ(events("MPI_Sendrecv", "point2point"), 40);
  EXPECT_DOUBLE_EQ(events("MPI_Isend", "point2point"), 40);
  EXPECT_DOUBLE_EQ(events("MPI_Barrier", "barrier"), 40);
  EXPECT_DOUBLE_EQ(events("MPI_Comm_rank", "none"), 20);
}

TEST(TraceEstimate, LongerTimesTakeMoreBytes) {
  PathFacts slow = visits(100);
  slow.seconds = 100;
  slow.min_seconds = slow.max_seconds = 1;
  const auto bytes = [](const PathFacts& facts) {
    return estimate_records(region("solve", "compiler", "function"), facts, kTicks).buffer_bytes;
  };
  EXPECT_GT(bytes(slow), bytes(visits(100)));
}

TEST(TraceEstimate, DiskBytesGrowWithMessagesAndRandomTimes) {
  EXPECT_GT(estimate_disk_bytes(300, 100, 1000, 1000), estimate_disk_bytes(200, 100, 1000, 1000));
  EXPECT_GT(estimate_disk_bytes(200, 100, 1e6, 1e6), estimate_disk_bytes(200, 100, 10, 10));
  EXPECT_DOUBLE_EQ(estimate_disk_bytes(0, 0, 0, 0), 0);
}

}  // namespace
}  // namespace tarry

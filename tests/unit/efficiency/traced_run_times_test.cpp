// traced_run_times_test.cpp -- the times that efficiencies are made of, from small traces. A tick is a second.
#include <gtest/gtest.h>

#include "analysis/compatibility.hpp"
#include "efficiency/part_selection.hpp"
#include "efficiency/traced_run_times.hpp"
#include "tests/unit/analysis/golden_traces.hpp"
#include "replay/matching/match_messages.hpp"
#include "tests/unit/replay/synthetic_source.hpp"

namespace tarry {
namespace {

Result<RunTimes> times_of(SyntheticTrace& source, const RunPart& part = {}, bool is_like_dimemas = false) {
  TARRY_TRY_ASSIGN(selection, PartSelection::create(source, part));
  Exchange exchange;
  const auto selector = [&](std::span<const LocationId> locations) { return selection.of_process(locations); };
  Trace trace(source, exchange, 1, selector, Compatibility::none().kept_details());
  match_messages(trace, MatchOrder::kPosted);
  return traced_run_times(trace, "run", part, {.network = Network(), .is_like_dimemas = is_like_dimemas});
}

// Both leave MPI_Init at 3 and enter MPI_Finalize at 20. Rank 0 computes until 10, and again from 13 on: 14 s. Rank 1
// gets its message at 12, and computes 2 + 8 s.
void pipeline(SyntheticTrace& trace) {
  trace.on(0).enter(0, "main").enter(1, "MPI_Init").leave(3);
  trace.on(0).enter(4, "step").enter(10, "MPI_Send").send(10, 1, 100).leave(13).leave(15);
  trace.on(0).visit(16, 18, "step").enter(20, "MPI_Finalize").leave(21).leave(30);
  trace.on(1).enter(0, "main").enter(1, "MPI_Init").leave(3);
  trace.on(1).enter(5, "step").enter(5, "MPI_Recv").recv(12, 0, 100).leave(12).leave(14);
  trace.on(1).visit(16, 19, "step").enter(20, "MPI_Finalize").leave(21).leave(30);
}

TEST(RunTimes, CountFromInitToFinalize) {
  SyntheticTrace trace(2);
  pipeline(trace);
  const auto found = times_of(trace);
  ASSERT_TRUE(found.ok()) << found.error().text();
  const RunTimes& times = found.value();
  EXPECT_EQ(times.runtime, 17);
  ASSERT_EQ(times.processes.size(), 2u);
  EXPECT_EQ(times.processes[0].useful, 14);
  EXPECT_EQ(times.processes[1].useful, 10);
  EXPECT_EQ(times.processes[1].outside_mpi, 10);
  EXPECT_EQ(times.processes[1].longest_useful, 10);
  EXPECT_EQ(times.processes[1].threads, 1u);
  EXPECT_EQ(times.ideal, 15);  // rank 1: 7 s until the message is sent, and 8 s
  EXPECT_FALSE(times.instructions);
}

// In archives of ours, a Leave does not name its region.
TEST(RunTimes, CountWhereLeavesNameNothing) {
  SyntheticTrace trace(2);
  pipeline(trace);
  for (SyntheticStream& stream : trace.streams())
    for (Event& event : stream.events())
      if (event.kind == EventKind::kLeave) set_record(event, record::Leave{});
  EXPECT_EQ(times_of(trace).value().processes[0].useful, 14);
  EXPECT_EQ(times_of(trace, {.region = "step"}).value().runtime, 11 + 2);
  EXPECT_EQ(times_of(trace, {.region = "step", .iteration = 0}).value().runtime, 11);
}

TEST(RunTimes, OfARegionThoseOfItsLongestProcess) {
  SyntheticTrace trace(2);
  pipeline(trace);
  const auto found = times_of(trace, {.region = "step"});
  ASSERT_TRUE(found.ok()) << found.error().text();
  EXPECT_EQ(found.value().runtime, 11 + 2);  // rank 0; rank 1 is there for 9 + 3
  EXPECT_EQ(found.value().processes[0].useful, 6 + 2 + 2);
  EXPECT_EQ(found.value().processes[1].useful, 2 + 3);
  // Rank 0 sends at once. Rank 1 enters at 5, and has the message at 10, 2 s earlier.
  EXPECT_EQ(found.value().ideal, std::max(8 + 2, 7 + 3));
}

// A process is in a region as long as any of its threads is.
TEST(RunTimes, OfARegionOfWorkers) {
  SyntheticTrace trace(1, 3);
  add_team_of_three(trace);
  const auto all = times_of(trace, {.region = "w"}), one = times_of(trace, {.region = "v"});
  ASSERT_TRUE(all.ok() && one.ok());
  EXPECT_EQ(all.value().runtime, (440 - 230) + (700 - 520));
  EXPECT_EQ(all.value().ideal, all.value().runtime);
  EXPECT_EQ(one.value().runtime, 490 - 250);
  EXPECT_EQ(one.value().processes[0].longest_useful, 490 - 250);
}

TEST(RunTimes, OfOneVisit) {
  SyntheticTrace trace(2);
  pipeline(trace);
  const auto second = times_of(trace, {.region = "step", .iteration = 1});
  ASSERT_TRUE(second.ok());
  EXPECT_EQ(second.value().runtime, 3);
  EXPECT_EQ(second.value().ideal, 3);
  EXPECT_EQ(second.value().processes[0].useful, 2);
  const auto first = times_of(trace, {.region = "step", .iteration = 0});
  EXPECT_EQ(first.value().runtime, 11);
  EXPECT_EQ(first.value().ideal, 8);
  const auto none = times_of(trace, {.region = "step", .iteration = 2});
  ASSERT_FALSE(none.ok());
  EXPECT_NE(none.error().why.find("iteration 2 of 'step'"), std::string::npos);
}

TEST(RunTimes, WithoutInitAndFinalizeAllCounts) {
  SyntheticTrace trace(2);
  trace.on(0).enter(0, "main").enter(10, "MPI_Send").send(10, 1, 100).leave(11).leave(15);
  trace.on(1).enter(0, "main").enter(2, "MPI_Recv").recv(13, 0, 100).leave(13).leave(20);
  const auto found = times_of(trace);
  EXPECT_EQ(found.value().runtime, 20);
  EXPECT_EQ(found.value().ideal, 17);
  EXPECT_EQ(found.value().processes[0].useful, 14);
}

// A trace of MPI calls alone: what lies between them is computation.
TEST(RunTimes, OutsideOfAllRegionsTheFirstThreadIsUseful) {
  SyntheticTrace trace(1);
  trace.on(0).enter(0, "MPI_Init").leave(1).visit(4, 5, "MPI_Comm_rank").enter(9, "MPI_Finalize").leave(10);
  const auto found = times_of(trace);
  EXPECT_EQ(found.value().runtime, 8);
  EXPECT_EQ(found.value().processes[0].useful, 7);
  EXPECT_EQ(found.value().processes[0].serial_useful, 7);
}

TEST(RunTimes, DimemasMakesABarrierOfABroadcast) {
  SyntheticTrace trace(2);
  SyntheticStream::Payload of_rank_0;
  of_rank_0.root = 0;
  for (const std::uint32_t rank : {0u, 1u}) {
    const Ticks arrives = rank == 0 ? 2 : 8;
    trace.on(rank).enter(0, "main").collective(arrives, rank == 0 ? 3 : 9, CollectiveOp::kBcast, of_rank_0);
    trace.on(rank).leave(rank == 0 ? 16 : 12);
  }
  EXPECT_EQ(times_of(trace).value().ideal, 2 + 13);
  EXPECT_EQ(times_of(trace, {}, true).value().ideal, 8 + 13);
}

TEST(RunTimes, CountersOfUsefulRegions) {
  SyntheticTrace trace(1);
  Definitions& all = trace.edit_definitions();
  for (const char* name : {"PAPI_TOT_INS", "perf::CYCLES:u"}) {
    Counter counter;
    counter.name = all.strings.intern(name);
    all.counters.push_back(counter);
  }
  const auto count = [&](Ticks time, std::uint64_t instructions, std::uint64_t cycles) {
    trace.on(0).add(time, record::Metric{.metric = CounterId(0), .value = instructions});
    trace.on(0).add(time, record::Metric{.metric = CounterId(1), .value = cycles});
  };
  count(0, 0, 0);
  trace.on(0).enter(0, "main");
  count(4, 400, 200);
  trace.on(0).enter(4, "MPI_Barrier");
  count(6, 1000, 900);
  trace.on(0).leave(6);
  count(9, 1100, 1000);
  trace.on(0).leave(9);
  const auto found = times_of(trace);
  EXPECT_EQ(found.value().instructions, 500);
  EXPECT_EQ(found.value().cycles, 300);
}

TEST(RunTimes, SpawnedWorldsAreRefused) {
  SyntheticTrace trace(4);
  for (const std::uint32_t rank : {0u, 1u, 2u, 3u})
    trace.on(rank).enter(0, "main").enter(1, "MPI_Init").leave(2).enter(5, "MPI_Finalize").leave(6).leave(7);
  trace.spawn_world(2);
  const auto found = times_of(trace);
  ASSERT_FALSE(found.ok());
  EXPECT_NE(found.error().why.find("spawned"), std::string::npos);
}

TEST(RunTimes, UnknownRegionsAreRefused) {
  SyntheticTrace trace(2);
  pipeline(trace);
  EXPECT_FALSE(times_of(trace, {.region = "stop"}).ok());
  EXPECT_FALSE(times_of(trace, {.region = "stop", .iteration = 0}).ok());
}

}  // namespace
}  // namespace tarry

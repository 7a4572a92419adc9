// scan_test.cpp -- one pass over the events of a process: call paths, times, records, and what is wrong with them.
#include "replay/scan/scan.hpp"

#include <gtest/gtest.h>

#include <tuple>

#include "tests/unit/analysis/analysis_of.hpp"

namespace tarry {
namespace {

using enum Metric;

TEST(Scan, TimesAndVisitsOfCallPaths) {
  SyntheticTrace trace(1);
  trace.on(0)
      .enter(10, "main")
      .visit(12, 15, "f")
      .enter(16, "g")
      .visit(17, 19, "f")
      .leave(20)
      .visit(21, 22, "f")
      .leave(30);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kTime, "main", 0), 20 - 3 - 4 - 1);
  EXPECT_EQ(found.value(kTime, "main/f", 0), 4);
  EXPECT_EQ(found.value(kTime, "main/g", 0), 2);
  EXPECT_EQ(found.value(kTime, "main/g/f", 0), 2);
  EXPECT_EQ(found.value(kVisits, "main/f", 0), 2);
  EXPECT_EQ(found.total(kVisits), 5);
  const LogicalThread& thread = found.trace().ranks()[0].threads[0];
  EXPECT_EQ(thread.first_time, 10);
  EXPECT_EQ(thread.last_time, 30);
  EXPECT_EQ(thread.event_count, 10u);
}

// Visits of plain functions are read in a shorter way. Where a timeline wants them they are not.
TEST(Scan, PlainFunctionsAreTheSameHoweverTheyAreRead) {
  SyntheticTrace trace(2);
  for (const std::uint32_t rank : {0u, 1u}) {
    auto& on = trace.on(rank).enter(0, "main").enter(5, "f").visit(6, 8, "g").visit(8, 8, "g").enter(9, "h").leave(12);
    on.visit(13, 14, "g").enter(20, "MPI_Barrier").add(20, record::MpiCollectiveBegin());
    on.add(30 + rank, record::MpiCollectiveEnd{.operation = CollectiveOp::kBarrier, .comm = CommId(0)});
    on.leave(31).leave(33).visit(34, 36, "f").enter(37, "f").add(39, record::Leave{.region = RegionId(99)});
    on.leave(40).leave(41).leave(42);
  }
  const AnalysisOf shortly(trace);
  const AnalysisOf at_length(trace, AnalysisOptions{.wants_path = true, .wants_stretches = true});
  const auto values_of = [](const AnalysisOf& found) {
    std::vector<std::tuple<Metric, std::string, std::uint32_t, double>> values;
    found.for_each_value([&](Metric metric, PathIndex path, const AnalysedThread& thread, double value) {
      values.emplace_back(metric, found.path_name(path), thread.location.value, value);
    });
    return values;
  };
  EXPECT_EQ(values_of(shortly), values_of(at_length));
  EXPECT_EQ(shortly.value(kVisits, "main/f/g", 0), 3);
  EXPECT_EQ(shortly.value(kTime, "main/f/h", 1), 3);
  EXPECT_EQ(shortly.value(kTime, "main/f", 0), (33 - 5) - (2 + 3 + 1 + 11) + 2 + 3);
}

TEST(Scan, AVisitThatStandsForSeveralCallsCountsAsSoMany) {
  SyntheticTrace trace(1);
  trace.on(0).enter(0, "main").visit(1, 2, "f").enter(3, "f").add(
      5, record::Attribute{.attribute = kCallsAttribute, .value = 1000});
  trace.on(0).leave(5).enter(6, "f").add(7, record::Attribute{.attribute = 99, .value = 1000}).leave(7).leave(9);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kVisits, "main/f", 0), 1 + 1000 + 1);
  EXPECT_EQ(found.value(kVisits, "main", 0), 1);
  EXPECT_EQ(found.value(kTime, "main/f", 0), 4);
  EXPECT_EQ(found.faults(), 0u);
}

// Not longer than the region has been the innermost one.
TEST(Scan, BlockedTimeIsNoComputation) {
  SyntheticTrace trace(1);
  trace.on(0)
      .enter(0, "main")
      .enter(2, "f")
      .add(9, record::Attribute{.attribute = kBlockedAttribute, .value = 4})
      .leave(10);
  trace.on(0).add(12, record::Attribute{.attribute = kBlockedAttribute, .value = 99}).leave(13);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kBlocked, "main/f", 0), 4);
  EXPECT_EQ(found.value(kComputation, "main/f", 0), 4);
  EXPECT_EQ(found.value(kTime, "main/f", 0), 8);
  EXPECT_EQ(found.value(kBlocked, "main", 0), 2);
  EXPECT_EQ(found.value(kComputation, "main", 0), 3);
  EXPECT_EQ(found.total(kExecution), 13);
}

TEST(Scan, AnAttributeOfNothingIsNone) {
  SyntheticTrace trace(1);
  trace.on(0).add(0, record::Attribute{.attribute = kCallsAttribute, .value = 5}).enter(1, "main");
  trace.on(0).add(2, record::Attribute{.attribute = kCallsAttribute, .value = 0}).leave(3);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kVisits), 1);
}

TEST(Scan, RecursionMakesAPathPerLevel) {
  SyntheticTrace trace(1);
  trace.on(0).enter(0, "f").enter(1, "f").visit(2, 3, "f").leave(4).leave(5);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kTime, "f/f/f", 0), 1);
  EXPECT_EQ(found.value(kVisits, "f", 0), 1);
}

TEST(Scan, ProgramBeginAndEndAreTheRoot) {
  SyntheticTrace trace(1);
  trace.on(0).add(0, record::ProgramBegin{.region = trace.region("app")}).visit(2, 5, "main");
  trace.on(0).add(9, record::ProgramEnd{.status = 0});
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kTime, "app", 0), 6);
  EXPECT_EQ(found.value(kTime, "app/main", 0), 3);
  EXPECT_EQ(found.faults(), 0u);
}

TEST(Scan, WhileMeasurementIsOffTimeGoesToARegionOfItsOwn) {
  SyntheticTrace trace(1);
  trace.on(0)
      .enter(0, "main")
      .add(2, record::MeasurementOnOff{.is_on = 0})
      .add(7, record::MeasurementOnOff{.is_on = 1})
      .leave(9);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kTime, "main/MEASUREMENT OFF", 0), 5);
  EXPECT_EQ(found.value(kTime, "main", 0), 4);
}

TEST(Scan, OpenRegionsEndWithTheLastEvent) {
  SyntheticTrace trace(1);
  trace.on(0).enter(0, "main").enter(2, "f").visit(3, 7, "g");
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kTime, "main", 0), 2);
  EXPECT_EQ(found.value(kTime, "main/f", 0), 1);
  EXPECT_EQ(found.faults(Fault::kUnclosedRegion), 2u);
}

TEST(Scan, ALeaveWithoutEnterIsLeftOut) {
  SyntheticTrace trace(1);
  const record::Leave other{.region = trace.region("other")};
  trace.on(0).add(0, other).enter(1, "main").add(3, other).leave(9);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kTime, "main", 0), 8);
  EXPECT_EQ(found.faults(Fault::kLeaveWithoutEnter), 2u);
  EXPECT_EQ(found.faults(), 2u);
}

TEST(Scan, LeavingAnOuterRegionLeavesTheInnerOnesToo) {
  SyntheticTrace trace(1);
  trace.on(0).enter(0, "main").enter(1, "f").enter(2, "g");
  trace.on(0).add(5, record::Leave{.region = trace.region("f")}).add(9, record::Leave{.region = trace.region("main")});
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kTime, "main/f/g", 0), 3);
  EXPECT_EQ(found.value(kTime, "main", 0), 5);
  EXPECT_EQ(found.faults(Fault::kLeaveWithoutEnter), 1u);
  EXPECT_EQ(found.faults(Fault::kUnclosedRegion), 0u);
}

TEST(Scan, ALeaveThatDoesNotSayItsRegionIsTheInnermostOnes) {
  SyntheticTrace trace(1);
  trace.on(0).enter(0, "main").enter(1, "f").add(4, record::Leave{}).leave(9).leave(9);
  trace.on(0).events().pop_back();
  set_record(trace.on(0).events().back(), record::Leave{});
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kTime, "main/f", 0), 3);
  EXPECT_EQ(found.faults(), 0u);
}

// Whatever number an undefined region has, even that of a region the replay adds itself.
TEST(Scan, UndefinedRegionsKeepTheirPlace) {
  for (const std::uint64_t beyond : {0u, 1u, 2u, 3u, 1000u, 0xfffffffeu}) {
    SyntheticTrace trace(1);
    const RegionId id(std::min<std::uint64_t>(trace.region("main").value + 1 + beyond, 0xfffffffeu));
    trace.on(0).enter(0, "main").add(2, record::Enter{.region = id}).add(5, record::Leave{.region = id}).leave(9);
    AnalysisOf found(trace);
    EXPECT_EQ(found.value(kTime, "main/UNDEFINED REGION", 0), 3) << beyond;
    EXPECT_EQ(found.value(kTime, "main", 0), 6) << beyond;
    EXPECT_EQ(found.faults(Fault::kUndefinedReference), 1u) << beyond;
    EXPECT_EQ(found.faults(), 1u) << beyond;
  }
}

TEST(Scan, MessagesOverUndefinedCommunicatorsOrToNobodyAreLeftOut) {
  SyntheticTrace trace(2);
  trace.on(0)
      .enter(0, "MPI_Send")
      .send(1, 1, 8, 0, 99)
      .send(1, 7)
      .leave(2)
      .collective(3, 4, CollectiveOp::kBarrier, {.comm = 99});
  trace.on(1).enter(0, "MPI_Recv").recv(1, 0, 8, 0, 99).recv(1, 7).leave(2);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kComms), 0);
  EXPECT_EQ(found.faults(Fault::kUndefinedReference), 5u);
  EXPECT_EQ(found.faults(), 5u);
}

TEST(Scan, UnknownRequests) {
  SyntheticTrace trace(1);
  trace.on(0).enter(0, "MPI_Waitall").isend_complete(1, 1).irecv(1, 2, 0).cancelled(1, 3).leave(2);
  AnalysisOf found(trace);
  EXPECT_EQ(found.faults(Fault::kUnknownRequest), 3u);
  EXPECT_EQ(found.faults(), 3u);
}

TEST(Scan, ARequestOfTheOtherKindIsUnknown) {
  SyntheticTrace trace(1);
  trace.on(0).enter(0, "MPI_Isend").isend(0, 1, 0).irecv_request(0, 2).leave(0);
  trace.on(0).enter(1, "MPI_Waitall").irecv(1, 1, 0).isend_complete(1, 2).leave(2);
  EXPECT_EQ(AnalysisOf(trace).faults(Fault::kUnknownRequest), 2u);
}

// The source has counted them: an archive when it reads the record.
TEST(Scan, LostEventsAreNotCountedAgain) {
  SyntheticTrace trace(1);
  trace.on(0).enter(0, "main").add(1, record::Lost{.count = 42}).leave(2);
  EXPECT_EQ(AnalysisOf(trace).faults(Fault::kEventsLost), 0u);
}

// Without its BEGIN an operation begins with its call, not with the BEGIN of another one.
TEST(Scan, ACollectiveWithoutBeginBeginsWithItsCall) {
  SyntheticTrace trace(2);
  trace.on(0)
      .collective(0, 1, CollectiveOp::kBarrier)
      .enter(100, "MPI_Barrier")
      .end(120, CollectiveOp::kBarrier)
      .leave(120);
  trace.on(1).collective(0, 1, CollectiveOp::kBarrier).collective(110, 120, CollectiveOp::kBarrier);
  EXPECT_EQ(AnalysisOf(trace).value(kBarrierWait, "MPI_Barrier", 0), 10);
}

TEST(Scan, LocationsHaveNamesForMessages) {
  SyntheticTrace trace(2, 2);
  EXPECT_EQ(location_name(trace.definitions(), LocationId(2)), "rank 1");
  EXPECT_EQ(location_name(trace.definitions(), LocationId(3)), "rank 1 thread 1");
}

TEST(Scan, FaultsSayWhereTheyAre) {
  SyntheticTrace trace(2);
  trace.on(1).enter(0, "main").leave(1).add(2, record::Leave{.region = RegionId(0)});
  AnalysisOf found(trace);
  ASSERT_EQ(trace.faults().places().size(), 1u);
  EXPECT_EQ(trace.faults().places()[0].location, "rank 1");
  EXPECT_EQ(trace.faults().places()[0].position, 2u);
}

}  // namespace
}  // namespace tarry

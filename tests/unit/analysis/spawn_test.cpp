// spawn_test.cpp -- processes that other ones start: what they wait for, and where the critical path goes.
#include <gtest/gtest.h>

#include <cstdlib>

#include "analysis_of.hpp"
#include "tests/unit/trace/otf2_writer.hpp"
#include "trace/otf2/otf2_sink.hpp"
#include "trace/otf2/otf2_source.hpp"

namespace tarry {
namespace {

using enum Metric;

// Ranks 0 and 1 spawn ranks 2 and 3. `between` is the inter-communicator of the two worlds, `all` their merged one.
//
//   0 |Init|  work         10 [ spawn              40] recv from 3 .....  [Finalize
//   1 |Init|  work              20 [ spawn         40]                    [Finalize
//   2                                25| work [Init 38]  send to ... [Finalize 60
//   3                                 27| work    [Init 38] work          [Finalize
class SpawnTest : public ::testing::Test {
 protected:
  SpawnTest() : trace_(4) {
    trace_.spawn_world(2);
    between_ = trace_.comm({0, 1}, {2, 3});
    all_ = trace_.comm({0, 1, 2, 3});
    std::uint64_t uid = 0;
    for (const std::uint64_t comm : {between_, all_}) trace_.edit_definitions().comms[comm].uid = ++uid;
    for (std::uint32_t r = 0; r < 2; ++r) trace_.on(r).enter(0, "main").visit(r, 5, "MPI_Init");
    trace_.on(2).enter(25, "child").visit(30, 38, "MPI_Init");
    trace_.on(3).enter(27, "child").visit(33, 38, "MPI_Init");
  }

  void spawn(std::uint32_t rank, Ticks enter, Ticks leave, std::uint64_t root = 0) {
    trace_.on(rank).enter(enter, "MPI_Comm_spawn").begin(enter);
    trace_.on(rank).add(leave, record::CommCreate{.comm = CommId(between_)});
    trace_.on(rank).end(leave, CollectiveOp::kCreateHandle, {.root = root, .sent = 0, .received = 0});
    trace_.on(rank).leave(leave);
  }

  void finalize(std::uint32_t rank, Ticks enter, Ticks leave) {
    trace_.on(rank).visit(enter, leave, "MPI_Finalize").leave(leave);
  }

  SyntheticTrace trace_;
  std::uint64_t between_, all_;
};

// Rank 3 works from 27 on and sends at 70, for which rank 0 waits; all end at 80.
class SpawnAndWait : public SpawnTest {
 protected:
  void write(std::uint64_t root = 0) {
    spawn(0, 10, 40, root);
    spawn(1, 20, 40, root);
    trace_.on(0).enter(50, "MPI_Recv").recv(72, 1, 8, 0, between_).leave(72);
    trace_.on(3).visit(38, 60, "work").enter(70, "MPI_Send").send(70, 0, 8, 0, between_).leave(71);
    finalize(0, 80, 81);
    finalize(1, 60, 81);
    finalize(2, 45, 76);
    finalize(3, 75, 76);
  }
};

TEST_F(SpawnAndWait, ALateSenderInAnotherWorld) {
  write();
  AnalysisOf found(trace_);
  EXPECT_EQ(found.faults(), 0u);
  EXPECT_EQ(found.value(kLateSender, "main/MPI_Recv", 0), 20);
  // They have met in MPI_Comm_spawn and MPI_Init. Since then rank 3 has spent 22 + 10 outside of MPI, where rank 0 has
  // done nothing.
  EXPECT_EQ(found.total(kDelayLateSender), 20);
  EXPECT_NEAR(found.value(kDelayLateSender, "child/work", 3), 20.0 * 22 / (22 + 10), 1e-12);
  EXPECT_NEAR(found.value(kDelayLateSender, "child", 3), 20.0 * 10 / (22 + 10), 1e-12);
}

TEST_F(SpawnAndWait, TheCriticalPathGoesThroughTheSpawn) {
  write();
  AnalysisOf found(trace_);
  EXPECT_EQ(found.result().critical_path,
            "begin,end,rank,thread,edge,callpath\n"
            "0,27,0,0,init,main/MPI_Init\n"
            "27,70,3,0,spawn,\n"
            "70,80,0,0,late_sender,main/MPI_Recv\n");
  EXPECT_EQ(found.total(kCriticalPath), 80);
  EXPECT_EQ(found.value(kCriticalPath, "main/MPI_Comm_spawn", 0), 17);
  EXPECT_EQ(found.value(kCriticalPath, "main/MPI_Init", 0), 5);
  EXPECT_EQ(found.value(kCriticalPath, "main", 0), 5 + 8);
  EXPECT_EQ(found.value(kCriticalPath, "child", 3), 6 + 10);
  EXPECT_EQ(found.value(kCriticalPath, "child/MPI_Init", 3), 5);
  EXPECT_EQ(found.value(kCriticalPath, "child/work", 3), 22);
}

TEST_F(SpawnAndWait, WithoutARootItIsTheLastWhoCalled) {
  write(kNoField);
  AnalysisOf found(trace_);
  EXPECT_EQ(found.value(kCriticalPath, "main/MPI_Comm_spawn", 1), 7);
  EXPECT_EQ(found.value(kCriticalPath, "main/MPI_Comm_spawn", 0), 0);
  EXPECT_EQ(found.total(kCriticalPath), 79);  // rank 1 entered MPI_Init at 1
}

TEST_F(SpawnAndWait, AProcessThatBeganBeforeWasNotSpawned) {
  write();
  for (Event& event : trace_.on(3).events())
    if (event.time == 27) event.time = 9;
  AnalysisOf found(trace_);
  EXPECT_EQ(found.total(kCriticalPath), 80 - 33);  // from MPI_Init of rank 3 on
}

TEST_F(SpawnAndWait, NobodySpawnsWhereThereIsOneWorld) {
  write();
  for (Communicator& comm : trace_.edit_definitions().comms) comm.uid = 7;
  AnalysisOf found(trace_);
  EXPECT_EQ(found.total(kCriticalPath), 80 - 33);
}

// The spawned world exists from 25 to 76. Its processes wait for nothing that the path did before.
TEST_F(SpawnAndWait, AWorldCountsFromItsBegin) {
  write();
  AnalysisOf found(trace_);
  // Without waits: rank 0 has 81 - 20, 1 of it after the path. Rank 1 has 81 - 10 - 20, 1 before and 1 after the path.
  // They wait for 20 and for 31. Rank 2 has 45 - 25, with the Finalize of 31 less the wait of 30; rank 3 has 76 - 27.
  // They wait for 30 and for 2.
  const double waited = found.total(kImbalanceImpact);
  EXPECT_NEAR(waited, (80 - 61) + (80 - 51) + (51 - 21) + (51 - 49), 1e-9);
}

// The first world spends 5 in "main" until MPI_Init is left and after. It has no "child", and no process lacks that.
TEST_F(SpawnAndWait, EachWorldIsBalancedByItself) {
  write();
  AnalysisOf found(trace_);
  EXPECT_EQ(found.value(kImbalance, "child", 0), 0);
  EXPECT_EQ(found.value(kImbalanceBelowBypass, "child/work", 1), 0);
  EXPECT_EQ(found.value(kImbalanceBelowBypass, "child/work", 2), 11);
  EXPECT_EQ(found.value(kImbalanceAboveSingle, "child/work", 3), 11);
  EXPECT_EQ(found.value(kImbalance, "child/work", 3), 11);
}

TEST_F(SpawnTest, ParentsWaitForOneAnother) {
  spawn(0, 10, 40);
  spawn(1, 20, 40);
  AnalysisOf found(trace_);
  EXPECT_EQ(found.value(kCommCreationWait, "main/MPI_Comm_spawn", 0), 10);
  EXPECT_EQ(found.total(kCommCreationWait), 10);
  EXPECT_EQ(found.total(kDelayCreation), 10);
  EXPECT_EQ(found.value(kDelayCreation, "main", 1), 10);
}

TEST_F(SpawnTest, CollectivesBetweenWorldsAndOverBoth) {
  spawn(0, 10, 40);
  spawn(1, 20, 40);
  const Ticks enters[] = {41, 42, 50, 47};
  for (std::uint32_t r = 0; r < 4; ++r) {
    trace_.on(r).collective(enters[r], 51, CollectiveOp::kBarrier, {.sent = 0, .received = 0, .comm = between_});
    trace_.on(r).collective(52 + 2 * r, 60, CollectiveOp::kAllreduce, {.comm = all_});
    finalize(r, 61, 62);
  }
  AnalysisOf found(trace_);
  EXPECT_EQ(found.faults(), 0u);
  // Of the barrier each side waits for the other one only.
  EXPECT_EQ(found.value(kBarrierWait, "main/MPI_Barrier", 0), 9);
  EXPECT_EQ(found.value(kBarrierWait, "main/MPI_Barrier", 1), 8);
  EXPECT_EQ(found.value(kBarrierWait, "child/MPI_Barrier", 3), 0);
  EXPECT_EQ(found.value(kNxnWait, "main/MPI_Allreduce", 0), 6);
  EXPECT_EQ(found.value(kNxnWait, "child/MPI_Allreduce", 2), 2);
  EXPECT_EQ(found.total(kDelayBarrier) + found.total(kDelayBarrierLongTerm), 17);
  EXPECT_EQ(found.total(kDelayAllToAll) + found.total(kDelayAllToAllLongTerm), 12);
  EXPECT_EQ(found.total(kCriticalPath), 61);
}

// Rank 1 alone starts the others; rank 0 has nothing to do with them until it sends to rank 3.
TEST_F(SpawnTest, WhoHasNotMetIsComparedSinceBothHaveBegun) {
  trace_.on(0).visit(5, 17, "early").collective(17, 18, CollectiveOp::kBarrier);
  trace_.on(1).collective(15, 18, CollectiveOp::kBarrier);
  trace_.on(0).visit(18, 60, "late").enter(60, "MPI_Send").send(60, 3, 8, 0, all_).leave(61);
  Communicator& between = trace_.edit_definitions().comms[between_];
  trace_.edit_definitions().groups[between.group.value].members = {1};
  spawn(1, 20, 40);
  trace_.on(3).enter(40, "MPI_Recv").recv(61, 0, 8, 0, all_).leave(61);
  AnalysisOf found(trace_);
  EXPECT_EQ(found.value(kLateSender, "child/MPI_Recv", 3), 20);
  EXPECT_EQ(found.total(kDelayLateSender), 20);
  EXPECT_EQ(found.value(kDelayLateSender, "main/late", 0), 20);
}

// Rank 0 spawns rank 1, both alone in their worlds.
TEST(Spawn, OneProcessMayStartOne) {
  SyntheticTrace trace(2);
  trace.spawn_world(1);
  const std::uint64_t between = trace.comm({0}, {1}), self = trace.comm({});
  for (const std::uint64_t comm : {between, self}) trace.edit_definitions().comms[comm].uid = comm;
  trace.on(0).enter(0, "main").visit(1, 5, "MPI_Init").enter(10, "MPI_Comm_spawn").begin(10);
  trace.on(0).add(30, record::CommCreate{.comm = CommId(between)});
  trace.on(0).end(30, CollectiveOp::kCreateHandle, {.root = 0, .sent = 0, .received = 0, .comm = self}).leave(30);
  trace.on(0).enter(31, "MPI_Recv").recv(50, 0, 8, 0, between).leave(50).visit(60, 61, "MPI_Finalize").leave(61);
  trace.on(1).enter(20, "child").visit(25, 29, "MPI_Init").visit(29, 48, "work");
  trace.on(1).enter(48, "MPI_Send").send(48, 0, 8, 0, between).leave(50).visit(70, 71, "MPI_Finalize").leave(71);
  AnalysisOf found(trace);
  EXPECT_EQ(found.faults(), 0u);
  EXPECT_EQ(found.value(kLateSender, "main/MPI_Recv", 0), 17);
  EXPECT_EQ(found.value(kDelayLateSender, "child/work", 1), 17);
  EXPECT_EQ(found.result().critical_path,
            "begin,end,rank,thread,edge,callpath\n"
            "1,20,0,0,init,main/MPI_Init\n"
            "20,70,1,0,spawn,\n");
  EXPECT_EQ(found.total(kCriticalPath), 69);
  EXPECT_EQ(found.total(kFinalizeWait) + found.total(kInitCompletion) + found.total(kImbalance), 0);
}

// All values and the critical path.
std::string text_of(const AnalysisOf& found) {
  std::string text = found.result().critical_path;
  found.for_each_value([&](Metric metric, PathIndex path, const AnalysedThread& where, double value) {
    text += std::to_string(static_cast<int>(metric)) + " " + found.path_name(path) + " " +
            std::to_string(where.rank_index.value) + " " + std::to_string(value) + "\n";
  });
  return text;
}

// The pipeline test sets TARRY_SPAWN_TRACE to keep the trace.
TEST_F(SpawnAndWait, Otf2KeepsAllThatTheAnalysisNeeds) {
  write();
  const TempFolder folder;
  const char* kept = std::getenv("TARRY_SPAWN_TRACE");
  const std::string path = kept ? kept : folder / "otf2";
  auto sink = Otf2Sink::create(path, trace_.definitions(), nullptr);
  ASSERT_TRUE(sink.ok());
  for (std::size_t i = 0; i < trace_.definitions().locations.size(); ++i) {
    auto writer = (*sink)->open(LocationId(i));
    ASSERT_TRUE(writer.ok());
    ASSERT_TRUE((*writer)->append(trace_.on(static_cast<std::uint32_t>(i)).events(), RecordExtras()).ok());
    ASSERT_TRUE((*writer)->close().ok());
  }
  ASSERT_TRUE((*sink)->close().ok());
  EXPECT_EQ((*sink)->unwritten(), "");
  auto again = open_otf2(path + "/traces.otf2");
  ASSERT_TRUE(again.ok()) << again.error().text();
  EXPECT_EQ(text_of(AnalysisOf(**again)), text_of(AnalysisOf(trace_)));
  EXPECT_EQ(AnalysisOf(**again).total(kCriticalPath), 80);
  EXPECT_EQ((*again)->faults().total(), 0u);
}

TEST_F(SpawnAndWait, ManyWorkersFindTheSame) {
  write();
  const std::string expected = text_of(AnalysisOf(trace_));
  EXPECT_EQ(text_of(AnalysisOf(trace_, Compatibility::none(), 4)), expected);
}

}  // namespace
}  // namespace tarry

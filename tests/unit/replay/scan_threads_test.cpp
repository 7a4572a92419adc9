// scan_threads_test.cpp -- processes whose threads all call MPI: requests and the order of receives are the process's.
#include <gtest/gtest.h>

#include "tests/unit/analysis/analysis_of.hpp"

namespace tarry {
namespace {

using enum Metric;

// Thread 1 of rank 0 starts, thread 0 completes.
void start_and_complete(SyntheticTrace& trace) {
  trace.on(0, 1).enter(0, "MPI_Irecv").irecv_request(0, 7).leave(1);
  trace.on(0, 1).enter(1, "MPI_Isend").isend(1, 8, 1).leave(2);
  trace.on(0, 1).enter(2, "MPI_Ibarrier").collective_request(2, 9).leave(3);
  trace.on(0, 0).enter(3, "MPI_Wait").irecv(6, 7, 1).leave(6);
  trace.on(0, 0).enter(6, "MPI_Wait").isend_complete(9, 8).leave(9);
  trace.on(0, 0).enter(9, "MPI_Wait").collective_complete(14, 9, CollectiveOp::kBarrier).leave(14);
  trace.on(1, 0).enter(5, "MPI_Send").send(5, 0).leave(6).enter(8, "MPI_Recv").recv(9, 0).leave(9);
  trace.on(1, 0).enter(12, "MPI_Ibarrier").collective_request(12, 1).leave(13);
  trace.on(1, 0).enter(14, "MPI_Wait").collective_complete(15, 1, CollectiveOp::kBarrier).leave(15);
}

TEST(ThreadMultiple, OneThreadCompletesWhatAnotherStarted) {
  SyntheticTrace trace(2, 2);
  start_and_complete(trace);
  AnalysisOf found(trace);
  EXPECT_EQ(found.faults(), 0u);
  EXPECT_EQ(found.value(kLateSender, "MPI_Wait", 0), 2);
  EXPECT_EQ(found.value(kLateReceiver, "MPI_Wait", 0), 2);
  EXPECT_EQ(found.value(kCollectiveRequestWait, "MPI_Wait", 0), 3);
}

TEST(ThreadMultiple, ReceivesArePostedInOrderOfTime) {
  SyntheticTrace trace(2, 2);
  // Thread 1 posts first, so it gets the first message.
  trace.on(0, 0).enter(2, "MPI_Recv").recv(9, 1).leave(9);
  trace.on(0, 1).enter(1, "MPI_Recv").recv(5, 1).leave(5);
  trace.on(1, 0).enter(4, "MPI_Send").send(4, 0).leave(5).enter(8, "MPI_Send").send(8, 0).leave(9);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kLateSender, "MPI_Recv", 0, 0), 6);
  EXPECT_EQ(found.value(kLateSender, "MPI_Recv", 0, 1), 3);
}

// What a call receives is in the order of its records, whoever started it: the first reveals the wrong order.
TEST(ThreadMultiple, MessagesOfACallAreReceivedInTheOrderOfTheirRecords) {
  SyntheticTrace trace(3, 2);
  trace.on(0, 1).enter(0, "MPI_Irecv").irecv_request(0, 7).leave(1);
  trace.on(0, 0).enter(1, "MPI_Irecv").irecv_request(1, 8).leave(2).enter(4, "MPI_Recv").recv(11, 1, 8, 5).leave(11);
  trace.on(0, 0).enter(12, "MPI_Waitall").irecv(13, 7, 1).irecv(13, 8, 2).leave(14);
  trace.on(1, 0).enter(2, "MPI_Send").send(2, 0).leave(3).enter(10, "MPI_Send").send(10, 0, 8, 5).leave(11);
  trace.on(2, 0).enter(3, "MPI_Send").send(3, 0).leave(4);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kWrongOrderSame, "MPI_Recv", 0), 6);
  EXPECT_EQ(found.total(kWrongOrderDifferent), 0);
}

TEST(ThreadMultiple, ACompletionThatNobodyStartedIsNamed) {
  SyntheticTrace trace(2, 2);
  trace.on(0, 0).enter(3, "MPI_Wait").irecv(6, 7, 1).leave(6);
  AnalysisOf found(trace);
  EXPECT_EQ(found.faults(Fault::kUnknownRequest), 1u);
}

// Rank 1 waits from 3 to 8 for a message of rank 0's other thread, which computes until then.
void send_late_from_other_thread(SyntheticTrace& trace) {
  trace.on(0, 0).enter(0, "main").visit(0, 1, "MPI_Init_thread").visit(1, 20, "idle");
  trace.on(0, 1).enter(2, "worker").visit(2, 8, "compute").enter(8, "MPI_Send").send(8, 1).leave(9).leave(10);
  trace.on(0, 0).visit(20, 22, "MPI_Finalize").leave(22);
  trace.on(1, 0).enter(0, "main").visit(0, 1, "MPI_Init_thread").enter(3, "MPI_Recv").recv(9, 0).leave(9);
  trace.on(1, 0).visit(9, 21, "post").visit(21, 22, "MPI_Finalize").leave(22);
}

TEST(ThreadMultiple, CostsStandAtTheThreadThatWasLate) {
  SyntheticTrace trace(2, 2);
  send_late_from_other_thread(trace);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kLateSender, "main/MPI_Recv", 1), 5);
  EXPECT_EQ(found.value(kDelayLateSender, "worker/compute", 0, 1), 5);
  EXPECT_EQ(found.total(kDelayLateSender), 5);
}

TEST(ThreadMultiple, TheCriticalPathGoesOnAtTheThreadThatWasLate) {
  SyntheticTrace trace(2, 2);
  send_late_from_other_thread(trace);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kCriticalPath, "worker/compute", 0, 1), 6);
  EXPECT_EQ(found.value(kCriticalPath, "main/MPI_Recv", 1), 1);
  EXPECT_EQ(found.value(kCriticalPath, "main/post", 1), 12);
  EXPECT_EQ(found.total(kCriticalPath), 19);
}

TEST(ThreadMultiple, WaitsOfAThreadAreTakenOffItsOwnTime) {
  SyntheticTrace trace(2, 2);
  send_late_from_other_thread(trace);
  trace.on(1, 1).enter(2, "worker").enter(2, "MPI_Recv").recv(14, 0, 8, 1).leave(14).leave(15);
  trace.on(0, 1).enter(10, "worker").enter(12, "MPI_Send").send(12, 1, 8, 1).leave(13).leave(14);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kLateSender, "worker/MPI_Recv", 1, 1), 10);
  EXPECT_EQ(found.value(kNonCriticalPathActivities, "worker/MPI_Recv", 1, 1), 2);
  EXPECT_EQ(found.value(kDelayLateSender, "worker", 0, 1), 10);  // what it did since its message before
}

// MPI_Init need not be called by the thread whose recording begins first.
TEST(ThreadMultiple, TheCriticalPathEndsAtTheThreadThatFinalizes) {
  SyntheticTrace trace(2, 2);
  for (std::uint32_t r = 0; r < 2; ++r) {
    trace.on(r, 0).visit(0, 12, "main");
    trace.on(r, 1).enter(0, "worker").visit(0, 1, "MPI_Init_thread").visit(1, 4 + 4 * r, "compute");
    trace.on(r, 1).visit(4 + 4 * r, 9, "MPI_Finalize").leave(9);
  }
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kFinalizeWait, "worker/MPI_Finalize", 0, 1), 4);
  EXPECT_EQ(found.value(kDelayFinalize, "worker/compute", 1, 1), 4);
  EXPECT_EQ(found.value(kCriticalPath, "worker/compute", 1, 1), 7);
  EXPECT_EQ(found.total(kCriticalPath), 8);
}

// Thread 2 forks a team of its own, of which thread 1 is a member, which is read before it.
void add_nested_team(SyntheticTrace& trace) {
  const char* const outer = "!$omp parallel @a.c:1";
  const char* const inner = "!$omp parallel @a.c:2";
  trace.on(0, 0).enter(0, "main").fork(10, 2).team_begin(10, 1).enter(12, outer);
  trace.on(0, 0).leave(60).team_end(60, 1).join(62).leave(100);
  trace.on(0, 2).team_begin(11, 1).enter(13, outer).enter(14, "f").fork(20, 2);
  trace.on(0, 2).team_begin(20, 2).enter(22, inner).leave(40).team_end(40, 2);
  trace.on(0, 2).join(43).leave(50).leave(55).team_end(55, 1);
  trace.on(0, 1).team_begin(21, 2).enter(25, inner).leave(38).team_end(38, 2);
}

TEST(NestedTeams, AreBelowThePathOfTheirFork) {
  SyntheticTrace trace(1, 3);
  add_nested_team(trace);
  AnalysisOf found(trace);
  const std::string outer = "main/!$omp parallel @a.c:1", inner = outer + "/f/!$omp parallel @a.c:2";
  EXPECT_EQ(found.faults(), 0u);
  EXPECT_EQ(found.value(kVisits, inner, 0, 1), 1);
  EXPECT_EQ(found.value(kTime, inner, 0, 1), 43 - 20);
  EXPECT_EQ(found.value(kTime, inner, 0, 2), 43 - 20);
  EXPECT_EQ(found.value(kOmpFork, inner, 0, 1), 5);
  EXPECT_EQ(found.value(kOmpManagement, inner, 0, 1), 5 + 5);
  EXPECT_EQ(found.value(kTime, outer + "/f", 0, 2), 36 - 23);
  EXPECT_EQ(found.value(kTime, outer, 0, 2), 3 + 1 + 5 + 7);
  EXPECT_EQ(found.total(kCriticalPath), 100);
}

TEST(NestedTeams, OfAForkThatIsLostBelongToTheLatestOfTheMaster) {
  SyntheticTrace trace(1, 3);
  add_nested_team(trace);
  trace.on(0, 1).team_begin(70, 9).enter(70, "!$omp parallel @a.c:1").leave(71);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kVisits, "main/!$omp parallel @a.c:1", 0, 1), 1);
}

// A task waits for another one of the same construct, which runs in the same thread meanwhile.
TEST(Tasks, AreBelowTheParallelRegionWhereverTheyRun) {
  SyntheticTrace trace(1, 2);
  const char* const parallel = "!$omp parallel @a.c:1";
  const char* const task = "!$omp task @a.c:2";
  const char* const wait = "!$omp taskwait @a.c:3";
  trace.on(0, 0).enter(0, "main").fork(10, 2).team_begin(10, 1).enter(10, parallel);
  trace.on(0, 0).enter(11, "f").enter(12, wait);
  trace.on(0, 0).enter(15, task).enter(16, "f").enter(18, wait).enter(20, task).leave(25).leave(30).leave(31).leave(32);
  trace.on(0, 0).leave(40).leave(41).leave(50).team_end(50, 1).join(50).leave(60);
  trace.on(0, 1).team_begin(10, 1).enter(10, parallel).enter(10, wait).enter(12, task).leave(13);
  trace.on(0, 1).leave(49).leave(50).team_end(50, 1);
  AnalysisOf found(trace);
  const std::string place = std::string("main/") + parallel, of_tasks = place + "/" + task;
  EXPECT_EQ(found.faults(), 0u);
  EXPECT_EQ(found.value(kVisits, of_tasks, 0, 0), 2);
  EXPECT_EQ(found.value(kTime, of_tasks, 0, 0), 5 + 1 + 1);
  EXPECT_EQ(found.value(kVisits, of_tasks, 0, 1), 1);
  EXPECT_EQ(found.value(kTime, of_tasks + "/f/" + wait, 0, 0), 2 + 5);
  EXPECT_EQ(found.value(kTime, place + "/f/" + wait, 0, 0), 3 + 8);
  EXPECT_EQ(found.value(kTime, place + "/" + wait, 0, 1), 2 + 36);
  EXPECT_EQ(found.total(kTime), 2 * 60);
}

TEST(Tasks, OutsideOfTeamsAreBelowTheOutermostRegion) {
  SyntheticTrace trace(1);
  const char* const task = "!$omp task @a.c:2";
  trace.on(0).enter(0, "main").enter(1, "f").enter(2, task).enter(3, "f").enter(4, task).leave(6).leave(7).leave(8);
  trace.on(0).leave(9).leave(10);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kVisits, std::string("main/") + task, 0), 2);
  EXPECT_EQ(found.value(kTime, std::string("main/") + task, 0), 1 + 2 + 1);
  EXPECT_EQ(found.value(kTime, "main/f", 0), 2);
}

}  // namespace
}  // namespace tarry

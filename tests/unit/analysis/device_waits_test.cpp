// device_waits_test.cpp -- threads that wait for accelerators, accelerators that wait for threads, and what it costs.
#include <gtest/gtest.h>

#include "analysis_of.hpp"
#include "device_trace.hpp"

namespace tarry {
namespace {

using enum Metric;

using DeviceWaits = DeviceTrace;

TEST_F(DeviceWaits, OfASlowKernel) {
  host().enter(0, "main").visit(10, 12, kLaunch).visit(20, 90, kSync).leave(100);
  queue().visit(15, 85, "solve");
  const AnalysisOf analysis(trace_);
  EXPECT_EQ(analysis.value(kLateKernel, "main/cuCtxSynchronize", 0), 65);
  EXPECT_EQ(analysis.total(kLateKernel), 65);
  EXPECT_EQ(analysis.total(kLateLaunch), 0);
  EXPECT_EQ(analysis.value(kDelayLateKernel, "main/cuLaunchKernel/solve", 0, 1), 65);
  EXPECT_EQ(analysis.total(kDelayLateKernel), 65);
  EXPECT_EQ(analysis.value(kDeviceKernels, "main/cuLaunchKernel/solve", 0, 1), 70);
  EXPECT_EQ(analysis.value(kVisits, "main/cuLaunchKernel/solve", 0, 1), 1);
  EXPECT_EQ(analysis.total(kTime), 100);
}

TEST_F(DeviceWaits, TheCriticalPathRunsThroughTheKernel) {
  host().enter(0, "main").visit(10, 12, kLaunch).visit(20, 90, kSync).leave(100);
  queue().visit(15, 85, "solve");
  const AnalysisOf analysis(trace_);
  EXPECT_EQ(analysis.total(kCriticalPath), 100);
  EXPECT_EQ(analysis.value(kCriticalPath, "main/cuLaunchKernel/solve", 0, 1), 70);
  EXPECT_EQ(analysis.value(kCriticalPath, "main/cuLaunchKernel", 0), 5);  // from the launch until the kernel begins
  EXPECT_EQ(analysis.value(kCriticalPath, "main/cuCtxSynchronize", 0), 5);
  EXPECT_EQ(analysis.value(kCriticalPath, "main", 0), 20);
}

TEST_F(DeviceWaits, AQueueWaitsForALateLaunch) {
  host().enter(0, "main").visit(10, 12, kLaunch).enter(12, "prepare").leave(60);
  host().visit(60, 62, kLaunch).visit(65, 81, kSync).leave(100);
  queue().visit(15, 30, "a").visit(63, 80, "b");
  const AnalysisOf analysis(trace_);
  EXPECT_EQ(analysis.value(kLateLaunch, "main/cuLaunchKernel/b", 0, 1), 30);
  EXPECT_EQ(analysis.value(kDeviceIdle, "main/cuLaunchKernel/b", 0, 1), 33);
  EXPECT_EQ(analysis.value(kDeviceTime, "main/cuLaunchKernel/b", 0, 1), 50);
  // The thread did 50 since the first launch that the queue did not: 48 of them here.
  EXPECT_DOUBLE_EQ(analysis.value(kDelayLateLaunch, "main/prepare", 0), 30 * 48.0 / 50);
  EXPECT_EQ(analysis.value(kLateKernel, "main/cuCtxSynchronize", 0), 15);
  EXPECT_EQ(analysis.value(kDelayLateKernel, "main/cuLaunchKernel/b", 0, 1), 15);
  EXPECT_EQ(analysis.total(kCriticalPath), 100);
  EXPECT_EQ(analysis.value(kCriticalPath, "main/prepare", 0), 48);
}

TEST_F(DeviceWaits, ACopyWaitsForTheKernelBeforeIt) {
  host().enter(0, "main").visit(10, 12, kLaunch).visit(20, 60, kCopyOut).leave(70);
  queue().visit(15, 50, "solve");
  copy(52, 60, false, 4096);
  const AnalysisOf analysis(trace_);
  EXPECT_EQ(analysis.value(kLateKernelTransfer, "main/cuMemcpyDtoH", 0), 30);
  EXPECT_EQ(analysis.value(kDeviceCopiesOut, "main/cuMemcpyDtoH", 0, 1), 8);
  EXPECT_EQ(analysis.value(kDeviceBytesOut, "main/cuMemcpyDtoH", 0, 1), 4096);
  EXPECT_EQ(analysis.value(kDelayLateKernel, "main/cuLaunchKernel/solve", 0, 1), 30);
}

TEST_F(DeviceWaits, CopiesThatNeedNotEndDoNotWait) {
  host().enter(0, "main").visit(10, 12, kLaunch).visit(20, 22, kCopyIn).leave(70);
  queue().visit(15, 50, "solve");
  copy(52, 60, true, 4096);
  const AnalysisOf analysis(trace_);
  EXPECT_EQ(analysis.total(kLateKernelTransfer), 0);
  EXPECT_EQ(analysis.value(kDeviceCopiesIn, "main/cuMemcpyHtoDAsync", 0, 1), 8);
}

class SeveralQueues : public DeviceWaits {
 protected:
  SeveralQueues() : DeviceWaits(1, 2) {}
};

TEST_F(SeveralQueues, CopiesAreExposedWhileNoKernelRuns) {
  host().enter(0, "main").visit(10, 11, kLaunch).visit(12, 13, kCopyIn).leave(70);
  queue(0, 1).visit(15, 50, "solve");
  copy(40, 60, true, 8, 2);
  const AnalysisOf analysis(trace_);
  EXPECT_EQ(analysis.value(kDeviceCopies, "main/cuMemcpyHtoDAsync", 0, 2), 20);
  EXPECT_EQ(analysis.value(kDeviceCopiesExposed, "main/cuMemcpyHtoDAsync", 0, 2), 10);
}

TEST_F(SeveralQueues, KernelsAtTheSameTimeAreBusyOnce) {
  host().enter(0, "main").visit(10, 11, kLaunch).visit(12, 13, kLaunch).leave(70);
  queue(0, 1).visit(15, 50, "a");
  queue(0, 2).visit(40, 60, "b");
  const AnalysisOf analysis(trace_);
  EXPECT_EQ(analysis.value(kDeviceBusy, "main/cuLaunchKernel/a", 0, 1), 35);
  EXPECT_EQ(analysis.value(kDeviceBusy, "main/cuLaunchKernel/b", 0, 2), 10);
  EXPECT_EQ(analysis.total(kDeviceKernels), 55);
}

TEST_F(SeveralQueues, AttributesTellWhichQueueIsMeant) {
  host().enter(0, "main").enter(10, kLaunch).add(11, record::Attribute{kQueueAttribute, 2}).leave(11);
  host().enter(12, kLaunch).add(13, record::Attribute{kQueueAttribute, 1}).leave(13);
  host().enter(20, kSync).add(59, record::Attribute{kQueueAttribute, 1}).leave(60).leave(100);
  queue(0, 1).visit(15, 58, "short");
  queue(0, 2).visit(14, 59, "long");
  AnalysisOf analysis(trace_);
  EXPECT_EQ(analysis.value(kLateKernel, "main/cuCtxSynchronize", 0), 38);
  const LogicalRank& rank = analysis.trace().ranks()[RankIndex(0)];
  EXPECT_EQ(rank.threads[ThreadIndex(1)].executions[ExecutionIndex(0)].launch, DeviceCallIndex(1));
  EXPECT_EQ(rank.threads[ThreadIndex(2)].executions[ExecutionIndex(0)].launch, DeviceCallIndex(0));
}

TEST_F(SeveralQueues, NumbersTellWhatACallHasStarted) {
  host().enter(0, "main").enter(10, kLaunch).add(11, record::Attribute{kWorkAttribute, 77}).leave(11);
  host().enter(12, kLaunch).add(13, record::Attribute{kWorkAttribute, 78}).leave(13).leave(100);
  queue(0, 1).enter(15, "second").add(16, record::Attribute{kWorkAttribute, 78}).leave(58);
  queue(0, 2).enter(16, "first").add(16, record::Attribute{kWorkAttribute, 77}).leave(59);
  AnalysisOf analysis(trace_);
  const LogicalRank& rank = analysis.trace().ranks()[RankIndex(0)];
  EXPECT_EQ(rank.threads[ThreadIndex(1)].executions[ExecutionIndex(0)].launch, DeviceCallIndex(1));
  EXPECT_EQ(rank.threads[ThreadIndex(2)].executions[ExecutionIndex(0)].launch, DeviceCallIndex(0));
}

// Of three kernels and a copy on two queues.
TEST_F(SeveralQueues, AGraphBelongsToTheCallThatStartsIt) {
  const record::Attribute number{kWorkAttribute, 77};
  host().enter(0, "main").enter(30, kLaunch).add(31, number).leave(31).visit(35, 90, kSync).leave(100);
  queue(0, 1).visit(5, 10, "before").enter(32, "a").add(32, number).leave(40).enter(40, "b").add(40, number).leave(85);
  queue(0, 2).visit(5, 20, "before").enter(42, "c").add(42, number).leave(60);
  queue(0, 2).add(60, record::RmaGet{.window = WindowId(0), .bytes = 8}).add(60, number);
  queue(0, 2).add(70, record::RmaOpCompleteBlocking{.window = WindowId(0)});
  AnalysisOf analysis(trace_);
  EXPECT_EQ(analysis.value(kDeviceKernels, "main/cuLaunchKernel/a", 0, 1), 8);
  EXPECT_EQ(analysis.value(kDeviceKernels, "main/cuLaunchKernel/b", 0, 1), 45);
  EXPECT_EQ(analysis.value(kDeviceKernels, "main/cuLaunchKernel/c", 0, 2), 18);
  EXPECT_EQ(analysis.value(kDeviceCopiesIn, "main/cuLaunchKernel", 0, 2), 10);
  // Each queue waits for the one call.
  EXPECT_EQ(analysis.value(kLateLaunch, "main/cuLaunchKernel/a", 0, 1), 20);
  EXPECT_EQ(analysis.value(kLateLaunch, "main/cuLaunchKernel/c", 0, 2), 10);
  EXPECT_EQ(analysis.total(kLateLaunch), 30);
  EXPECT_EQ(analysis.total(kDelayLateLaunch) + analysis.total(kDelayLateLaunchLongTerm), 30);
  EXPECT_EQ(analysis.value(kLateKernel, "main/cuCtxSynchronize", 0), 50);
  // From the launch to the end of the graph: 55.
  EXPECT_DOUBLE_EQ(analysis.value(kDelayLateKernel, "main/cuLaunchKernel/b", 0, 1), 50 * 45.0 / 55);
  EXPECT_EQ(analysis.value(kCriticalPath, "main/cuLaunchKernel/b", 0, 1), 45);
  EXPECT_EQ(analysis.total(kCriticalPath), 100);
}

// A place in the program that has one number.
TEST_F(DeviceWaits, GraphsOfOnePlaceHaveEqualShares) {
  const record::Attribute number{kWorkAttribute, 77};
  host().enter(0, "main").enter(10, kLaunch).add(11, number).leave(11).enter(12, kLaunch).add(12, number).leave(13);
  host().leave(100);
  for (const Ticks begin : {20, 30, 40, 50}) queue().enter(begin, "solve").add(begin, number).leave(begin + 5);
  AnalysisOf analysis(trace_);
  const auto& executions = analysis.trace().ranks()[RankIndex(0)].threads[ThreadIndex(1)].executions;
  for (std::uint32_t i = 0; i < 4; ++i) EXPECT_EQ(executions[ExecutionIndex(i)].launch, DeviceCallIndex(i / 2));
}

TEST_F(DeviceWaits, ACopyInPartsWaitsForTheWorkBeforeTheFirst) {
  const record::Attribute number{kWorkAttribute, 5};
  host().enter(0, "main").visit(10, 12, kLaunch).enter(20, kCopyOut).add(21, number).leave(60).leave(70);
  queue().visit(15, 40, "solve");
  for (const Ticks begin : {42, 50}) {
    queue().add(begin, record::RmaPut{.window = WindowId(0), .bytes = 8}).add(begin, number);
    queue().add(begin + 8, record::RmaOpCompleteBlocking{.window = WindowId(0)});
  }
  const AnalysisOf analysis(trace_);
  EXPECT_EQ(analysis.value(kLateKernelTransfer, "main/cuMemcpyDtoH", 0), 20);
  EXPECT_EQ(analysis.value(kDeviceCopiesOut, "main/cuMemcpyDtoH", 0, 1), 16);
}

class TwoProcesses : public DeviceWaits {
 protected:
  TwoProcesses() : DeviceWaits(2, 1) {}
};

TEST_F(TwoProcesses, AKernelDelaysTheReceiveOfAnotherProcess) {
  host(0).enter(0, "main").visit(0, 1, "MPI_Init").visit(10, 12, kLaunch).visit(20, 90, kSync);
  host(0).enter(90, "MPI_Send").send(91, 1).leave(92).visit(95, 96, "MPI_Finalize").leave(96);
  host(1).enter(0, "main").visit(0, 1, "MPI_Init").enter(30, "MPI_Recv").recv(93, 0).leave(93);
  host(1).visit(94, 96, "MPI_Finalize").leave(96);
  queue(0).visit(15, 88, "solve");
  const AnalysisOf analysis(trace_);
  EXPECT_EQ(analysis.value(kLateSender, "main/MPI_Recv", 1), 60);
  EXPECT_EQ(analysis.value(kLateKernel, "main/cuCtxSynchronize", 0), 68);
  EXPECT_GT(analysis.value(kDelayLateSenderLongTerm, "main/cuLaunchKernel/solve", 0, 1), 45);
  EXPECT_EQ(analysis.value(kCriticalPath, "main/cuLaunchKernel/solve", 0, 1), 73);
}

TEST_F(TwoProcesses, DevicesAreOutOfBalance) {
  for (std::uint32_t rank = 0; rank < 2; ++rank) {
    host(rank).enter(0, "main").visit(0, 1, "MPI_Init").visit(10, 12, kLaunch).visit(20, 90, kSync);
    host(rank).visit(95, 96, "MPI_Finalize").leave(96);
    queue(rank).visit(15, rank == 0 ? 45 : 85, "solve");
  }
  const AnalysisOf analysis(trace_);
  EXPECT_EQ(analysis.value(kDeviceImbalanceBelow, "main/cuLaunchKernel/solve", 0, 1), 20);
  EXPECT_EQ(analysis.value(kDeviceImbalanceAbove, "main/cuLaunchKernel/solve", 1, 1), 20);
  EXPECT_EQ(analysis.total(kDeviceImbalance), 40);
  EXPECT_EQ(analysis.value(kImbalance, "main/cuLaunchKernel/solve", 0, 1), 0);
}

// A queue whose work has numbers, and tells what it needs.
class QueueOrder : public DeviceWaits {
 protected:
  static constexpr std::uint64_t kNotTold = Execution::kUnknownNeeds;

  QueueOrder() { host().enter(0, "main"); }

  void launch(Ticks time, std::uint64_t work) {
    host().enter(time, kLaunch).add(time + 1, record::Attribute{kWorkAttribute, work}).leave(time + 1);
  }

  void execute(Ticks begin, Ticks end, const char* name, std::uint64_t work, std::uint64_t needs = kNotTold) {
    queue().enter(begin, name).add(begin, record::Attribute{kWorkAttribute, work});
    if (needs != kNotTold) queue().add(begin, record::Attribute{kNeedsAttribute, needs});
    queue().leave(end);
  }
};

TEST_F(QueueOrder, WorkWaitsForWhatItDoesNotNeed) {
  launch(10, 1);
  launch(20, 2);
  host().leave(100);
  execute(15, 50, "slow", 1);
  execute(52, 60, "quick", 2, 0);
  const AnalysisOf analysis(trace_);
  EXPECT_EQ(analysis.value(kQueueOrder, "main/cuLaunchKernel/quick", 0, 1), 30);  // not while the queue is idle
  EXPECT_EQ(analysis.value(kQueueHolding, "main/cuLaunchKernel/slow", 0, 1), 30);
  EXPECT_EQ(analysis.total(kQueueOrder), 30);
  EXPECT_EQ(analysis.total(kQueueHolding), 30);
  EXPECT_EQ(analysis.value(kDeviceTime, "main/cuLaunchKernel/quick", 0, 1), 10);
}

TEST_F(QueueOrder, NoWorkWaitsForWhatItNeeds) {
  for (const std::uint64_t work : {1, 2, 3}) launch(static_cast<Ticks>(10 * work), work);
  host().leave(100);
  execute(15, 50, "slow", 1);
  execute(50, 60, "quick", 2, 1);
  execute(60, 70, "last", 3, 1);
  const AnalysisOf analysis(trace_);
  EXPECT_EQ(analysis.value(kQueueOrder, "main/cuLaunchKernel/last", 0, 1), 10);
  EXPECT_EQ(analysis.total(kQueueOrder), 10);
  EXPECT_EQ(analysis.total(kQueueHolding), 10);
}

TEST_F(QueueOrder, EachMomentIsHeldUpOnce) {
  for (const std::uint64_t work : {1, 2, 3}) launch(static_cast<Ticks>(10 * work), work);
  host().leave(100);
  execute(15, 50, "slow", 1);
  execute(50, 60, "quick", 2, 0);
  execute(60, 70, "last", 3, 0);
  const AnalysisOf analysis(trace_);
  EXPECT_EQ(analysis.total(kQueueOrder), 30 + 30);
  EXPECT_EQ(analysis.value(kQueueHolding, "main/cuLaunchKernel/slow", 0, 1), 30);
  EXPECT_EQ(analysis.value(kQueueHolding, "main/cuLaunchKernel/quick", 0, 1), 10);
}

TEST_F(QueueOrder, NothingIsTakenForGranted) {
  for (const std::uint64_t work : {1, 2, 3}) launch(static_cast<Ticks>(10 * work), work);
  host().leave(100);
  execute(15, 50, "slow", 1, 7);
  execute(50, 60, "not told", 2);
  execute(60, 70, "needs what is not there", 3, 99);
  execute(70, 80, "was not launched", 4, 0);
  const AnalysisOf analysis(trace_);
  EXPECT_EQ(analysis.total(kQueueOrder), 0);
  EXPECT_EQ(analysis.total(kQueueHolding), 0);
}

TEST_F(QueueOrder, CopiesWaitToo) {
  launch(10, 1);
  host().enter(20, kCopyIn).add(21, record::Attribute{kWorkAttribute, 2}).leave(21).leave(100);
  execute(15, 50, "slow", 1);
  queue().add(50, record::RmaGet{.window = WindowId(0), .bytes = 8});
  queue().add(50, record::Attribute{kWorkAttribute, 2}).add(50, record::Attribute{kNeedsAttribute, 0});
  queue().add(60, record::RmaOpCompleteBlocking{.window = WindowId(0)});
  const AnalysisOf analysis(trace_);
  EXPECT_EQ(analysis.value(kQueueOrder, "main/cuMemcpyHtoDAsync", 0, 1), 30);
}

TEST_F(DeviceWaits, ReferenceHasNoQueues) {
  host().enter(0, "main").visit(10, 12, kLaunch).visit(20, 90, kSync).leave(100);
  queue().visit(15, 85, "solve");
  const AnalysisOf analysis(trace_, Compatibility::reference());
  EXPECT_EQ(analysis.total(kLateKernel), 0);
  EXPECT_EQ(analysis.total(kDeviceTime), 0);
  EXPECT_EQ(analysis.results().threads.size(), 1u);
}

TEST_F(DeviceWaits, DamagedWorkIsNoted) {
  host().enter(0, "main").visit(10, 12, kLaunch).visit(20, 90, kSync).leave(100);
  queue().enter(15, "solve").add(20, record::RmaOpCompleteBlocking{.window = WindowId(0)});
  AnalysisOf analysis(trace_);
  EXPECT_EQ(analysis.faults(Fault::kLeaveWithoutEnter), 1u);
  EXPECT_EQ(analysis.faults(Fault::kUnclosedRegion), 1u);
  EXPECT_EQ(analysis.total(kDeviceTime), 0);
}

}  // namespace
}  // namespace tarry

// simulate_devices_test.cpp -- work of accelerators on a changed machine. A tick is a second; each answer follows by
// hand.
#include <gtest/gtest.h>

#include "exchange/exchange.hpp"
#include "prediction/gain_table.hpp"
#include "prediction/simulation/predict.hpp"
#include "replay/matching/match_messages.hpp"
#include "tests/unit/analysis/analysis_of.hpp"
#include "tests/unit/analysis/device_trace.hpp"

namespace tarry {
namespace {

class SimulateDevices : public DeviceTrace {
 protected:
  explicit SimulateDevices(std::uint32_t ranks = 1, std::uint32_t queues = 1) : DeviceTrace(ranks, queues) {}

  Prediction predict_whole(const Machine& machine = {}) {
    Exchange exchange;
    Trace trace(trace_, exchange, 1, {}, prediction_details());
    match_messages(trace, MatchOrder::kPosted);
    return predict(trace, machine);
  }

  double seconds_on(const Machine& machine) { return predict_whole(machine).whole_predicted; }
  double seconds_with(const char* region, double factor) { return seconds_on({.regions = {{region, factor}}}); }

  void expect_no_move(const Machine& machine = {}) {
    const Prediction prediction = predict_whole(machine);
    EXPECT_EQ(prediction.whole_predicted, prediction.whole_recorded);
    EXPECT_EQ(prediction.largest_shift, 0);
    EXPECT_EQ(prediction.outcome.ignored, 0u);
  }
};

class SimulateTwoQueues : public SimulateDevices {
 protected:
  SimulateTwoQueues() : SimulateDevices(1, 2) {}
};

class SimulateRanksWithDevices : public SimulateDevices {
 protected:
  SimulateRanksWithDevices() : SimulateDevices(2, 1) {}
};

TEST_F(SimulateDevices, AThreadWaitsForAKernel) {
  host().enter(0, "main").visit(10, 12, kLaunch).visit(20, 90, kSync).leave(100);
  queue().visit(15, 85, "solve");
  expect_no_move();
  EXPECT_EQ(seconds_with("solve", 0.5), 15 + 35 + 5 + 10);
  EXPECT_EQ(seconds_with("solve", 0.01), 20 + 5 + 10);  // it has ended when the thread comes
  EXPECT_EQ(seconds_with("solve", 2), 15 + 140 + 5 + 10);
  EXPECT_EQ(seconds_with("main", 0.5), 5 + 5 + 70 + 5 + 5);  // of the thread: not what it launches
  EXPECT_EQ(seconds_on({.cpu_speed = 2}), 5 + 5 + 70 + 5 + 5);
}

TEST_F(SimulateDevices, AScaledRegionOfTheThreadScalesNoKernelBelowIt) {
  host().enter(0, "main").enter(5, "step").visit(10, 12, kLaunch).visit(20, 90, kSync).leave(90).leave(100);
  queue().visit(15, 85, "solve");
  expect_no_move();
  EXPECT_EQ(seconds_with("step", 0), 5 + 5 + 70 + 5 + 10);
}

TEST_F(SimulateDevices, AQueueIsInOrder) {
  host().enter(0, "main").visit(10, 11, kLaunch).visit(12, 13, kLaunch).visit(15, 61, kSync).leave(70);
  queue().visit(12, 40, "a").visit(40, 60, "b");
  expect_no_move();
  EXPECT_EQ(seconds_with("a", 0.5), 70 - 14);
  EXPECT_EQ(seconds_with("b", 0.5), 70 - 10);
  EXPECT_EQ(seconds_with("?", 0), 15 + 1 + 9);
  EXPECT_EQ(seconds_with("a", 2), 70 + 28);
}

TEST_F(SimulateDevices, AQueueWaitsForALaunch) {
  host().enter(0, "main").visit(10, 11, kLaunch).visit(12, 50, "work").visit(50, 51, kLaunch).visit(55, 62, kSync);
  host().leave(62);
  queue().visit(11, 20, "a").visit(52, 60, "b");
  expect_no_move();
  EXPECT_EQ(seconds_with("work", 0.5), 62 - 19);
  EXPECT_EQ(seconds_with("a", 5), 62 + 6);  // it ends at 56, and b begins 2 later
}

// What the first call waits for has ended before the last one: that one has nothing to wait for.
TEST_F(SimulateDevices, EachCallThatWaitsKeepsItsOverhead) {
  host().enter(0, "main").visit(10, 11, kLaunch).visit(15, 31, kSync).visit(40, 43, kSync).leave(50);
  queue().visit(12, 30, "a");
  expect_no_move();
  EXPECT_EQ(seconds_with("a", 0.5), 50 - 9);
  EXPECT_EQ(seconds_on({.cpu_speed = 2}), 5 + 1 + 1 + 18 + 1 + 4.5 + 3 + 3.5);
}

// The clock of the accelerator is ahead: work seems to begin before its launch, and to end after the wait for it.
TEST_F(SimulateDevices, ClocksMayDisagree) {
  trace_.edit_definitions().clock.ticks_per_second = 1e6;
  host().enter(0, "main").visit(20, 30, kLaunch).visit(40, 400, kSync).leave(500);
  queue().visit(18, 410, "a");
  expect_no_move();
  EXPECT_NEAR(seconds_with("a", 0.5) * 1e6, 500 - 196, 1e-6);
  EXPECT_NEAR(seconds_on({.cpu_speed = 2}) * 1e6, 8 + 392 - 10 + 50, 1e-6);
}

TEST_F(SimulateTwoQueues, ACallThatNamesNoQueueWaitsForAll) {
  host().enter(0, "main").visit(10, 11, kLaunch).visit(12, 13, kLaunch).visit(15, 61, kSync).leave(70);
  queue(0, 1).visit(12, 50, "a");
  queue(0, 2).visit(14, 60, "b");
  expect_no_move();
  EXPECT_EQ(seconds_with("b", 0.5), 70 - 10);  // a ends at 50
  EXPECT_EQ(seconds_with("a", 2), 70 + 28);
}

// Works that overlap: c follows b, which had ended last.
TEST_F(SimulateDevices, AQueueMayBeOutOfOrder) {
  host().enter(0, "main").visit(1, 2, kLaunch).visit(2, 3, kLaunch).visit(3, 4, kLaunch).visit(15, 71, kSync).leave(80);
  const auto end = [this](Ticks time, const char* kernel) {
    queue().add(time, record::Leave{.region = trace_.region(kernel)});
  };
  queue().enter(10, "a").enter(12, "b");
  end(30, "b");
  queue().enter(31, "c");
  end(40, "a");
  end(70, "c");
  expect_no_move();
  EXPECT_EQ(seconds_with("b", 0.5), 80 - 9);
  EXPECT_EQ(seconds_with("a", 2), 80);
  EXPECT_EQ(seconds_with("a", 3), 80 + 30);  // from 10 to 100
}

TEST_F(SimulateDevices, CopiesTakeABandwidth) {
  host().enter(0, "main").visit(10, 11, kCopyIn).visit(12, 13, kLaunch).visit(20, 65, kCopyOut).leave(70);
  copy(11, 21, true, 100);
  queue().visit(21, 51, "a");
  copy(51, 61, false, 300);
  expect_no_move();
  EXPECT_EQ(seconds_on({.copy_seconds_per_byte = 0}), 12 + 30 + 4 + 5);  // the launch is at 12
  EXPECT_EQ(seconds_on({.copy_seconds_per_byte = 0.01}), 11 + 1 + 30 + 3 + 4 + 5);
  EXPECT_EQ(seconds_on({.regions = {{"*", 0.5}}}), 5 + 1 + 10 + 15 + 10 + 4 + 2.5);
}

TEST_F(SimulateDevices, CopiesOfUnknownSizeKeepTheirTime) {
  host().enter(0, "main").visit(10, 25, kCopyOut).leave(30);
  copy(11, 21, false, 0);
  EXPECT_EQ(seconds_on({.copy_seconds_per_byte = 1}), 30);
  EXPECT_EQ(seconds_on({.copy_seconds_per_byte = 0}), 20);
}

// Twice: copy in, kernel. Then: copy out.
TEST_F(SimulateDevices, CopiesOverlapKernels) {
  host().enter(0, "main");
  host().visit(1, 2, kCopyIn).visit(2, 3, kLaunch).visit(3, 4, kCopyIn).visit(4, 5, kLaunch).visit(5, 66, kCopyOut);
  host().leave(70);
  copy(2, 12, true, 100);
  queue().visit(12, 32, "a");
  copy(32, 42, true, 100);
  queue().visit(42, 62, "b");
  copy(62, 65, false, 100);
  expect_no_move();
  // The second copy in begins at 12, b at 32.
  EXPECT_EQ(seconds_on({.overlaps_copies = true}), 70 - 10);
  EXPECT_EQ(seconds_on({.regions = {{"a", 0.1}}, .overlaps_copies = true}), 22 + 20 + 3 + 1 + 4);
}

// A call that copies in waits no longer. One that copies out does.
TEST_F(SimulateDevices, ThreadsDoNotWaitForOverlappedCopiesIn) {
  trace_.define_region("cuMemcpyHtoD", Paradigm::kCuda, RegionRole::kWrapper);
  host().enter(0, "main").visit(10, 25, "cuMemcpyHtoD").visit(30, 31, kLaunch).visit(40, 75, kCopyOut).leave(80);
  copy(12, 22, true, 100);
  queue().visit(32, 50, "a");
  copy(50, 70, false, 100);
  expect_no_move();
  // The first call takes 10 + 3; the launch is at 18, the copy ends at 22, and 2 later a begins.
  EXPECT_EQ(seconds_on({.overlaps_copies = true}), 22 + 2 + 18 + 20 + 5 + 5);
}

TEST_F(SimulateRanksWithDevices, AMessageComesWhenTheKernelIsDone) {
  host(1).enter(0, "main").visit(10, 12, kLaunch).visit(20, 90, kSync).enter(92, "MPI_Send").send(92, 0, 8);
  host(1).leave(93).leave(100);
  queue(1).visit(15, 85, "solve");
  host(0).enter(0, "main").enter(5, "MPI_Recv").recv(95, 1, 8).leave(95).leave(120);
  expect_no_move();
  EXPECT_EQ(seconds_with("solve", 0.5), 120 - 35);
  EXPECT_EQ(seconds_on({.network = Network()}), 120 - 3);
}

TEST_F(SimulateDevices, WorkWithoutALaunchStaysBehindTheWorkBefore) {
  host().enter(0, "main").visit(10, 12, kLaunch).visit(20, 90, kSync).leave(100);
  queue().visit(15, 40, "a").visit(45, 85, "b");
  expect_no_move();
  expect_no_move({.overlaps_copies = true});
  EXPECT_EQ(seconds_with("a", 0.6), 100 - 10);
}

// The analysis of the predicted run.
TEST_F(SimulateDevices, ReportsHaveTheWorkAtItsNewTimes) {
  host().enter(0, "main").visit(10, 12, kLaunch).visit(20, 90, kSync).visit(91, 92, kLaunch).leave(100);
  queue().visit(15, 85, "solve").visit(95, 99, "next");
  for (const double factor : {1.0, 0.5}) {
    std::unique_ptr<SimulatedTimes> times;
    Exchange exchange;
    {
      Trace trace(trace_, exchange, 1, {}, prediction_details());
      match_messages(trace, MatchOrder::kPosted);
      predict(trace, {.regions = {{"solve", factor}}}, &times);
    }
    const double less = 70 * (1 - factor);
    const AnalysisOf analysis(trace_, AnalysisOptions{}, 1, TimeSelector(), times.get());
    EXPECT_EQ(analysis.value(Metric::kDeviceKernels, "main/cuLaunchKernel/solve", 0, 1), 70 - less);
    EXPECT_EQ(analysis.value(Metric::kDeviceKernels, "main/cuLaunchKernel/next", 0, 1), 4);
    EXPECT_EQ(analysis.value(Metric::kLateKernel, "main/cuCtxSynchronize", 0), 65 - less);
    EXPECT_EQ(analysis.value(Metric::kLateLaunch, "main/cuLaunchKernel/next", 0, 1), 6);
    EXPECT_EQ(analysis.total(Metric::kTime), 100 - less);
  }
}

TEST_F(SimulateDevices, TheTableHasKernelsAndTheirDelays) {
  host().enter(0, "main").visit(10, 12, kLaunch).visit(20, 90, kSync).leave(100);
  queue().visit(15, 85, "solve");
  Exchange exchange;
  Trace trace(trace_, exchange, 1, {}, prediction_details());
  match_messages(trace, MatchOrder::kPosted);
  const GainTable table = make_gain_table(trace, {}, {.is_whole = true});
  EXPECT_EQ(table.predicted, 100);
  const auto row_of = [&](auto is_wanted) { return *std::ranges::find_if(table.rows, is_wanted); };
  const GainRow kernel = row_of([](const GainRow& row) { return !row.delay && row.name == "solve"; });
  EXPECT_EQ(kernel.cost, 70);
  EXPECT_EQ(kernel.gain[0], 65);  // the thread comes at 20
  EXPECT_EQ(kernel.gain[1], 35);
  const GainRow delay = row_of([](const GainRow& row) { return row.delay.has_value(); });
  EXPECT_NE(delay.name.find("solve"), std::string::npos);
  EXPECT_EQ(delay.cost, 65);
  EXPECT_NEAR(delay.gain[0], 65, 1e-9);
  for (const GainRow& row : table.rows) EXPECT_NE(row.name, kSync);
}

}  // namespace
}  // namespace tarry

// efficiencies_test.cpp -- POP's efficiencies of times that are written down, by the definitions in METRICS.md.
#include "efficiency/efficiencies.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace tarry {
namespace {

using enum Efficiency;

ProcessTimes single(Seconds useful) {
  return {.useful = useful, .longest_useful = useful, .outside_mpi = useful, .serial_useful = useful};
}

// Two processes compute 8 and 4 s of 16; on an ideal network they would need 10 s.
RunTimes two_processes() { return {.processes = {single(8), single(4)}, .runtime = 16, .ideal = 10}; }

// Two processes of two threads. The first one: 2 s serial, 6 s in parallel regions, in which its threads compute 5 and
// 3 s. The second one: 1 s serial, 5 s parallel, 4 and 4 s.
RunTimes hybrid() {
  return {
      .processes =
          {{.threads = 2, .useful = 10, .longest_useful = 7, .outside_mpi = 8, .serial_useful = 2, .in_parallel = 6},
           {.threads = 2, .useful = 9, .longest_useful = 5, .outside_mpi = 6, .serial_useful = 1, .in_parallel = 5}},
      .runtime = 10,
      .ideal = 9};
}

Efficiencies alone(const RunTimes& run) { return efficiencies_of(run, run, Scaling::kStrong); }

TEST(Efficiencies, OfOneRun) {
  const Efficiencies found = alone(two_processes());
  EXPECT_EQ(found[kParallel], 6.0 / 16);
  EXPECT_EQ(found[kLoadBalance], 6.0 / 8);
  EXPECT_EQ(found[kCommunication], 8.0 / 16);
  EXPECT_EQ(found[kSerialisation], 0.8);
  EXPECT_EQ(found[kTransfer], 10.0 / 16);
  EXPECT_EQ(found[kComputation], 1.0);
  EXPECT_EQ(found[kGlobal], found[kParallel]);
  EXPECT_FALSE(found[kIpc]);
  EXPECT_FALSE(found.has(EfficiencyModel::kMultiplicative));
}

// Two processes compute 6 and 2 s of 16, and spend 4 and 4 s in calls of accelerators. The device of the first one is
// busy for 8 s and copies for 2 s more, that of the second one for 4 s.
RunTimes with_accelerators() {
  RunTimes run{.processes = {single(6), single(2)}, .runtime = 16, .ideal = 12};
  run.processes[0].offload = run.processes[1].offload = 4;
  run.processes[0].longest_host = 10;
  run.processes[1].longest_host = 6;
  run.processes[0].devices = {.busy = 8, .exposed_copies = 2};
  run.processes[1].devices = {.busy = 4};
  return run;
}

TEST(Efficiencies, OfHostAndAccelerators) {
  const Efficiencies found = alone(with_accelerators());
  EXPECT_EQ(found[kHostBalance], 8.0 / 10);
  EXPECT_EQ(found[kHostSerialisation], 10.0 / 12);
  EXPECT_EQ(found[kHostTransfer], 12.0 / 16);
  EXPECT_DOUBLE_EQ(*found[kHost], 8.0 / 16);
  EXPECT_EQ(found[kOffload], 8.0 / 16);
  EXPECT_DOUBLE_EQ(*found[kOffloading], *found[kParallel]);
  EXPECT_EQ(found[kDeviceBalance], 6.0 / 8);
  EXPECT_EQ(found[kDeviceCommunication], 8.0 / 10);
  EXPECT_EQ(found[kDeviceOrchestration], 10.0 / 16);
  EXPECT_DOUBLE_EQ(*found[kDevices], 6.0 / 16);
  EXPECT_FALSE(alone(two_processes()).has(EfficiencyModel::kAccelerated));
}

// No run on an ideal network takes less time than a host needs for its computation and its accelerators.
TEST(Efficiencies, IdealRunsWaitForAccelerators) {
  RunTimes run = with_accelerators();
  run.ideal = 7;
  EXPECT_EQ(alone(run)[kHostSerialisation], 1.0);
}

// Workers that are not known to be idle count as computing while the first thread is in MPI, or alone.
RunTimes with_busy_workers() {
  return {
      .processes =
          {{.threads = 2, .useful = 14, .longest_useful = 10, .outside_mpi = 4, .serial_useful = 3, .in_parallel = 1},
           {.threads = 2, .useful = 16, .longest_useful = 10, .outside_mpi = 6, .serial_useful = 5, .in_parallel = 1}},
      .runtime = 10,
      .ideal = 4};
}

void expect_at_most_one(const Efficiencies& found) {
  for (const EfficiencyInfo& info : efficiency_table()) {
    EXPECT_LE(found[info.id].value_or(0), 1 + 1e-12) << info.label;
  }
}

TEST(Efficiencies, NoneIsMoreThanOne) {
  expect_at_most_one(alone(with_busy_workers()));
  EXPECT_DOUBLE_EQ(*alone(with_busy_workers())[kMpi], 1);
  EXPECT_DOUBLE_EQ(*alone(with_busy_workers())[kThreads], 0.75);
  std::mt19937 random(7);
  const auto up_to = [&](Seconds most) { return std::uniform_real_distribution<Seconds>(0, most)(random); };
  for (int run = 0; run < 1000; ++run) {
    RunTimes times{.processes = {}, .runtime = 10, .ideal = up_to(20)};
    for (int process = 0; process < 3; ++process) {
      ProcessTimes& each = times.processes.emplace_back();
      each.threads = 1 + random() % 4;
      each.outside_mpi = up_to(10);
      each.serial_useful = up_to(each.outside_mpi);
      each.in_parallel = each.threads > 1 ? up_to(each.outside_mpi - each.serial_useful) : 0;
      const Seconds first = each.serial_useful + up_to(each.in_parallel);
      each.useful = each.longest_useful = first;
      for (std::size_t thread = 1; thread < each.threads; ++thread) {
        const Seconds useful = up_to(10);
        each.useful += useful;
        each.longest_useful = std::max(each.longest_useful, useful);
      }
    }
    expect_at_most_one(alone(times));
  }
}

TEST(Efficiencies, ProductsAreTheirParents) {
  const Efficiencies found = alone(two_processes());
  EXPECT_DOUBLE_EQ(*found[kSerialisation] * *found[kTransfer], *found[kCommunication]);
  EXPECT_DOUBLE_EQ(*found[kLoadBalance] * *found[kCommunication], *found[kParallel]);
  EXPECT_DOUBLE_EQ(*found[kParallel] * *found[kComputation], *found[kGlobal]);
}

TEST(Efficiencies, StrongScalingComparesAllComputation) {
  const RunTimes before{.processes = {single(9)}, .runtime = 9, .ideal = 9};
  const Efficiencies found = efficiencies_of(two_processes(), before, Scaling::kStrong);
  EXPECT_EQ(found[kComputation], 9.0 / 12);
  EXPECT_EQ(found[kGlobal], 9.0 / 12 * 6 / 16);
}

TEST(Efficiencies, WeakScalingComparesThatOfAProcessor) {
  const RunTimes before{.processes = {single(5)}, .runtime = 5, .ideal = 5};
  EXPECT_EQ(efficiencies_of(two_processes(), before, Scaling::kWeak)[kComputation], 5.0 * 2 / 12);
}

TEST(Efficiencies, CountersDivideComputationScaling) {
  RunTimes before{.processes = {single(10)}, .runtime = 10, .ideal = 10, .instructions = 40e9, .cycles = 20e9};
  RunTimes after = two_processes();  // 12 s
  after.instructions = 48e9;
  after.cycles = 30e9;
  const Efficiencies found = efficiencies_of(after, before, Scaling::kStrong);
  EXPECT_DOUBLE_EQ(*found[kInstructions], 40.0 / 48);
  EXPECT_DOUBLE_EQ(*found[kIpc], (48.0 / 30) / 2);
  EXPECT_DOUBLE_EQ(*found[kFrequency], 2.5 / 2);
  EXPECT_DOUBLE_EQ(*found[kInstructions] * *found[kIpc] * *found[kFrequency], *found[kComputation]);
  before.cycles = std::nullopt;
  EXPECT_TRUE(efficiencies_of(after, before, Scaling::kStrong)[kInstructions]);
  EXPECT_FALSE(efficiencies_of(after, before, Scaling::kStrong)[kIpc]);
  EXPECT_EQ(why_missing(kIpc, after, before), "needs counters of instructions and cycles");
}

TEST(Efficiencies, FactorsOfProcessesAndThreads) {
  const Efficiencies found = alone(hybrid());
  EXPECT_DOUBLE_EQ(*found[kHybrid], 19.0 / 4 / 10);
  EXPECT_DOUBLE_EQ(*found[kMpi], 0.7);
  EXPECT_DOUBLE_EQ(*found[kMpiBalance], 7.0 / 8);
  EXPECT_DOUBLE_EQ(*found[kMpiCommunication], 0.8);
  EXPECT_DOUBLE_EQ(*found[kMpiSerialisation], 8.0 / 9);
  EXPECT_DOUBLE_EQ(*found[kMpiTransfer], 0.9);
  EXPECT_DOUBLE_EQ(*found[kThreads] * *found[kMpi], *found[kParallel]);
  EXPECT_DOUBLE_EQ(*found[kThreadBalance], (19.0 / 4 / 7) / (7.0 / 8));
  EXPECT_DOUBLE_EQ(*found[kThreadBalance] * *found[kThreadCommunication], *found[kThreads]);
}

TEST(Efficiencies, LossesOfProcessesAndThreadsAddUp) {
  const Efficiencies found = alone(hybrid());
  EXPECT_DOUBLE_EQ(*found[kProcess], 0.7);             // 8 and 6 s of 10
  EXPECT_DOUBLE_EQ(*found[kProcessBalance], 1 - 0.1);  // 8 s instead of 7
  EXPECT_DOUBLE_EQ(*found[kProcessCommunication], 0.8);
  EXPECT_DOUBLE_EQ(*found[kProcessTransfer], 0.9);
  EXPECT_DOUBLE_EQ(*found[kProcessSerialisation], 1 - 0.1);      // 9 s instead of 8
  EXPECT_DOUBLE_EQ(*found[kSerialRegions], 1 - 3.0 / 4 / 10);    // one thread of each is idle for 2 and 1 s
  EXPECT_DOUBLE_EQ(*found[kParallelRegions], 1 - 6.0 / 4 / 10);  // 22 s in parallel regions, 16 of them useful
  EXPECT_DOUBLE_EQ(*found[kThreadSum], *found[kSerialRegions] + *found[kParallelRegions] - 1);
  EXPECT_DOUBLE_EQ(*found[kSum], *found[kProcess] + *found[kThreadSum] - 1);
}

TEST(Efficiencies, AReportHasNoIdealNetwork) {
  RunTimes run = two_processes();
  run.ideal = std::nullopt;
  run.why_no_ideal = "needs a trace";
  EXPECT_EQ(alone(run)[kCommunication], 0.5);
  EXPECT_FALSE(alone(run)[kTransfer]);
  EXPECT_EQ(why_missing(kTransfer, run, run), "needs a trace");
}

TEST(Efficiencies, NothingIsDividedByZero) {
  const RunTimes nothing{.processes = {single(0)}, .runtime = 0};
  for (const EfficiencyInfo& info : efficiency_table()) EXPECT_FALSE(alone(nothing)[info.id]) << info.key;
  const Efficiencies without_processes = alone({.processes = {}, .runtime = 1});
  EXPECT_FALSE(without_processes[kLoadBalance]);
}

TEST(Efficiencies, ParentsComeFirst) {
  EXPECT_EQ(depth_of(kGlobal), 0u);
  EXPECT_EQ(depth_of(kTransfer), 3u);
  for (const EfficiencyInfo& info : efficiency_table())
    EXPECT_TRUE(info.parent == kNone || info.parent < info.id) << info.key;
}

TEST(Efficiencies, GradesBeginAtPopsThresholds) {
  EXPECT_EQ(grade_of(0.8), EfficiencyGrade::kGood);
  EXPECT_EQ(grade_of(0.7999), EfficiencyGrade::kFair);
  EXPECT_EQ(grade_of(0.4999), EfficiencyGrade::kPoor);
}

}  // namespace
}  // namespace tarry

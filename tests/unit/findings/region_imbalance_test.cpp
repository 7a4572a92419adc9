// region_imbalance_test.cpp -- imbalances of regions of a report with eight ranks.
#include "findings/imbalance/region_imbalance.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/findings/example_report.hpp"

namespace tarry {
namespace {

constexpr char kCounter[] = "Tarry::Counter";

// Eight ranks with one thread on one node; nothing but a root, yet.
struct EightRanks {
  Report report;
  CallPathId root;
  MetricId time;

  EightRanks() {
    ReportStructure& structure = report.structure;
    structure.system_nodes = {{"cluster", "machine", "", 0xffffffffu, {}}, {"n0", "node", "", 0, {}}};
    for (int rank = 0; rank < 8; ++rank) {
      structure.processes.push_back({"MPI Rank " + std::to_string(rank), "process", rank, 1, {}});
      structure.locations.push_back({"Master thread", "thread", 0, static_cast<std::uint32_t>(rank), {}});
    }
    root = add_path(report, add_region(report, "app", "user", "function"), {});
    time = add_metric(report, "time", "Time", MetricKind::kExclusive);
    set(report, time, root, {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1});
  }

  CallPathId add(const char* name, std::initializer_list<double> seconds, const char* paradigm = "user",
                 const char* role = "function") {
    const CallPathId path = add_path(report, add_region(report, name, paradigm, role), root);
    set(report, time, path, seconds);
    return path;
  }

  MetricId add_counter(const char* name, const char* unit, CallPathId path, std::initializer_list<double> values) {
    MetricId metric = report.find_metric(name);
    if (!metric.is_valid()) {
      metric = add_metric(report, name, name, MetricKind::kExclusive, {}, unit);
      report.structure.metrics[metric.value].attributes.emplace_back(kCounter, "rusage");
    }
    set(report, metric, path, values);
    return metric;
  }

  void set_use(std::size_t process, const ProcessorUse& use) {
    report.structure.processes[process].attributes = {{kProcessorUseAttribute, processor_use_text(use)}};
  }

  Imbalances find() const { return find_imbalances(report, find_processor_load(report), 0.001); }
};

TEST(RegionImbalance, NamesTheRankThatIsSlow) {
  EightRanks run;
  const CallPathId path = run.add("solve", {1, 1.01, 0.99, 2, 1, 1, 1.01, 0.99});
  const Imbalances found = run.find();
  ASSERT_EQ(found.regions.size(), 1u);
  const RegionImbalance& solve = found.regions[0];
  EXPECT_EQ(solve.call_path, path);
  EXPECT_EQ(solve.kind.shape, ImbalanceShape::kOverloadedMinority);
  EXPECT_EQ(solve.minority, std::vector<ReportRank>{ReportRank(3)});
  EXPECT_EQ(solve.worst, ReportRank(3));
  EXPECT_NEAR(solve.excess, 0.875, 1e-9);
  EXPECT_NEAR(solve.impact, 7, 1e-9);
  EXPECT_EQ(solve.visitors, 8u);
  EXPECT_FALSE(solve.cost.has_value());
  EXPECT_TRUE(solve.causes.empty());
  ASSERT_TRUE(found.all.has_value());
  EXPECT_EQ(found.all->kind.shape, ImbalanceShape::kOverloadedMinority);
}

TEST(RegionImbalance, CallPathsOfARegionCountTogetherAndMpiDoesNotCount) {
  EightRanks run;
  const CallPathId first = run.add("solve", {1, 1, 1, 1.4, 1, 1, 1, 1});
  const CallPathId second = add_path(run.report, run.report.structure.call_paths[first.value].region, first);
  set(run.report, run.time, second, {1, 1, 1, 1.6, 1, 1, 1, 1});
  run.add("MPI_Barrier", {5, 5, 5, 0, 5, 5, 5, 5}, "mpi", "barrier");
  const Imbalances found = run.find();
  ASSERT_EQ(found.regions.size(), 1u);
  EXPECT_NEAR(found.regions[0].excess, 0.875, 1e-9);
  EXPECT_EQ(found.regions[0].call_path, second);
}

TEST(RegionImbalance, CallPathsThatHideEachOtherAreJudgedApart) {
  EightRanks run;
  const CallPathId one = run.add("one", {0, 0, 0, 0, 0, 0, 0, 0});
  const CallPathId two = run.add("two", {0, 0, 0, 0, 0, 0, 0, 0});
  const std::uint32_t region = add_region(run.report, "copy", "user", "function");
  const CallPathId in_one = add_path(run.report, region, one), in_two = add_path(run.report, region, two);
  set(run.report, run.time, in_one, {1, 1, 1, 3, 1, 1, 1, 1});
  set(run.report, run.time, in_two, {3, 3, 3, 1, 3, 3, 3, 3});
  const Imbalances found = run.find();
  ASSERT_EQ(found.regions.size(), 2u);
  EXPECT_TRUE(found.regions[0].is_of_path);
  EXPECT_EQ(found.regions[0].call_path, in_one);
  EXPECT_EQ(found.regions[0].kind.shape, ImbalanceShape::kOverloadedMinority);
  EXPECT_EQ(found.regions[1].call_path, in_two);
  EXPECT_EQ(found.regions[1].kind.shape, ImbalanceShape::kUnderloadedMinority);
  ASSERT_EQ(found.pairs.size(), 1u);
  EXPECT_EQ(found.pairs[0].kind, Interference::kCancelling);
}

TEST(RegionImbalance, OneProcessHasNone) {
  EightRanks run;
  run.add("solve", {1, 1, 1, 1, 1, 1, 1, 1});
  EXPECT_TRUE(run.find().regions.empty());
  Report report;
  report.structure.processes.push_back({"Process 0", "process", 0, 0, {}});
  EXPECT_TRUE(find_imbalances(report, {}, 0).regions.empty());
}

TEST(RegionImbalance, OppositeImbalancesCancel) {
  EightRanks run;
  run.add("up", {2, 1, 2, 1, 2, 1, 2, 1});
  run.add("down", {1, 2, 1, 2, 1, 2, 1, 2});
  const Imbalances found = run.find();
  ASSERT_EQ(found.pairs.size(), 1u);
  EXPECT_EQ(found.pairs[0].kind, Interference::kCancelling);
  EXPECT_NEAR(found.pairs[0].apart, 8, 1e-9);
  EXPECT_NEAR(found.pairs[0].together, 0, 1e-9);
  EXPECT_NEAR(found.pairs[0].correlation, -1, 1e-9);
  EXPECT_FALSE(found.pairs[0].is_synchronised);
  EXPECT_FALSE(found.pairs[0].cost.has_value());
}

TEST(RegionImbalance, DelayCostsShowThatRanksWaitInBetween) {
  EightRanks run;
  const CallPathId up = run.add("up", {2, 1, 2, 1, 2, 1, 2, 1});
  run.add("down", {1, 2, 1, 2, 1, 2, 1, 2});
  const MetricId delay = add_metric(run.report, "delay", "Delay costs", MetricKind::kExclusive);
  set(run.report, delay, up, {1, 0, 1, 0, 1, 0, 1, 0});
  const Imbalances found = run.find();
  ASSERT_EQ(found.pairs.size(), 1u);
  EXPECT_DOUBLE_EQ(found.pairs[0].cost.value_or(-1), 4);
  EXPECT_TRUE(found.pairs[0].is_synchronised);
}

TEST(RegionImbalance, ImbalancesOfTheSameRanksAggravate) {
  EightRanks run;
  run.add("one", {1, 1, 1, 1, 1, 1, 3, 1});
  run.add("two", {1, 1, 1, 1, 1, 1, 2, 1});
  run.add("other", {1, 2, 1, 1, 1, 1, 1, 1});  // has nothing to do with them
  const Imbalances found = run.find();
  ASSERT_EQ(found.pairs.size(), 1u);
  EXPECT_EQ(found.pairs[0].kind, Interference::kAggravating);
  EXPECT_NEAR(found.pairs[0].together, found.pairs[0].apart, 1e-9);
}

TEST(RegionImbalance, ACountedPreemptionIsACause) {
  EightRanks run;
  const CallPathId path = run.add("solve", {1, 1, 1, 2, 1, 1, 1, 1});
  run.add_counter("ru_utime", "us", path, {1e6, 1e6, 1e6, 1.1e6, 1e6, 1e6, 1e6, 1e6});
  run.add_counter("ru_stime", "us", path, {0, 0, 0, 0, 0, 0, 0, 0});
  run.add_counter("ru_nivcsw", "", path, {2, 2, 2, 202, 2, 2, 2, 2});
  run.add_counter("ru_nvcsw", "", path, {0, 0, 0, 8, 0, 0, 0, 0});
  const Imbalances found = run.find();
  ASSERT_EQ(found.regions.size(), 1u);
  ASSERT_EQ(found.regions[0].causes.size(), 1u);
  const CauseFinding& cause = found.regions[0].causes[0];
  EXPECT_EQ(cause.cause, OutsideCause::kPreemption);
  EXPECT_EQ(cause.rank, ReportRank(3));
  EXPECT_TRUE(cause.is_of_region);
  EXPECT_NEAR(cause.seconds, 0.9 * 7 / 8, 1e-9);
  EXPECT_NEAR(cause.share, 0.9, 1e-9);
  EXPECT_NEAR(cause.events, 175, 1e-9);
  EXPECT_NEAR(cause.correlation, 1, 1e-9);
}

TEST(RegionImbalance, TimeOffTheProcessorThatWasGivenUpIsNoPreemption) {
  EightRanks run;
  const CallPathId path = run.add("solve", {1, 1, 1, 2, 1, 1, 1, 1});
  run.add_counter("task-clock", "ns", path, {1e9, 1e9, 1e9, 1e9, 1e9, 1e9, 1e9, 1e9});
  run.add_counter("ru_nivcsw", "", path, {2, 2, 2, 2, 2, 2, 2, 2});
  run.add_counter("ru_nvcsw", "", path, {0, 0, 0, 8, 0, 0, 0, 0});
  const Imbalances found = run.find();
  ASSERT_EQ(found.regions[0].causes.size(), 1u);
  EXPECT_EQ(found.regions[0].causes[0].cause, OutsideCause::kBlocked);
}

TEST(RegionImbalance, WorkHasNoOutsideCause) {
  EightRanks run;
  const CallPathId path = run.add("solve", {1, 1, 1, 2, 1, 1, 1, 1});
  run.add_counter("task-clock", "ns", path, {1e9, 1e9, 1e9, 2e9, 1e9, 1e9, 1e9, 1e9});
  run.add_counter("ru_nivcsw", "", path, {2, 2, 2, 900, 2, 2, 2, 2});
  run.add_counter("ru_nvcsw", "", path, {0, 0, 0, 0, 0, 0, 0, 0});
  for (std::size_t i = 0; i < 8; ++i) {
    ProcessorUse use;
    use.wall = 2.5;
    use.cpu = 2.4;
    use.delay = 0.05;
    run.set_use(i, use);
  }
  EXPECT_TRUE(run.find().regions[0].causes.empty());
}

TEST(RegionImbalance, TheProcessesOwnAccountsTellOfTheDelay) {
  EightRanks run;
  run.add("solve", {1, 1, 1, 2, 1, 1, 1, 1});
  for (std::size_t i = 0; i < 8; ++i) {
    ProcessorUse use;
    use.wall = 2.5;
    use.cpu = i == 3 ? 1.6 : 2.4;
    use.delay = i == 3 ? 0.9 : 0.1;
    use.preemptions = i == 3 ? 300 : 10;
    run.set_use(i, use);
  }
  const Imbalances found = run.find();
  ASSERT_EQ(found.regions[0].causes.size(), 1u);
  EXPECT_EQ(found.regions[0].causes[0].cause, OutsideCause::kPreemption);
  EXPECT_FALSE(found.regions[0].causes[0].is_of_region);
  EXPECT_NEAR(found.regions[0].causes[0].share, 0.8, 1e-9);
  // At least 0.4 s of 0.9 s lie in the region, and at most all of each 0.1 s. That is (0.4 - 1.1 / 8) of an excess of
  // 0.875 s.
  EXPECT_NEAR(found.regions[0].causes[0].least_share, 0.3, 1e-9);
}

TEST(RegionImbalance, PageFaultsTakeTheKernelsTime) {
  EightRanks run;
  const CallPathId path = run.add("fill", {1, 1.5, 1, 1, 1, 1, 1, 1});
  run.add_counter("ru_utime", "us", path, {9e5, 9e5, 9e5, 9e5, 9e5, 9e5, 9e5, 9e5});
  run.add_counter("ru_stime", "us", path, {1e5, 6e5, 1e5, 1e5, 1e5, 1e5, 1e5, 1e5});
  run.add_counter("ru_minflt", "", path, {1e5, 6e5, 1e5, 1e5, 1e5, 1e5, 1e5, 1e5});
  run.add_counter("ru_majflt", "", path, {0, 0, 0, 0, 0, 0, 0, 0});
  const Imbalances found = run.find();
  ASSERT_EQ(found.regions[0].causes.size(), 1u);
  EXPECT_EQ(found.regions[0].causes[0].cause, OutsideCause::kPageFaults);
  EXPECT_NEAR(found.regions[0].causes[0].share, 1, 1e-9);
  // A few faults do not explain half a second.
  run.add_counter("ru_minflt", "", path, {10, 60, 10, 10, 10, 10, 10, 10});
  EXPECT_TRUE(run.find().regions[0].causes.empty());
}

TEST(RegionImbalance, FileIoIsItsOwnCauseWhereBytesAgree) {
  EightRanks run;
  const CallPathId path = run.add("write", {0.1, 0.1, 0.1, 0.1, 0.1, 2, 0.1, 0.1}, "io", "file io");
  ASSERT_EQ(time_class(run.report.structure.regions[1]), TimeClass::kOwnFileIo);
  EXPECT_TRUE(run.find().regions[0].causes.empty());
  const MetricId bytes = add_metric(run.report, "io_bytes", "File bytes", MetricKind::kExclusive, {}, "bytes");
  set(run.report, bytes, path, {1e6, 1e6, 1e6, 1e6, 1e6, 9e6, 1e6, 1e6});
  const Imbalances found = run.find();
  ASSERT_EQ(found.regions[0].causes.size(), 1u);
  EXPECT_EQ(found.regions[0].causes[0].cause, OutsideCause::kFileIo);
  EXPECT_NEAR(found.regions[0].causes[0].events, 7e6, 1);
}

TEST(ProcessorLoad, MoreThreadsThanProcessorsThatHadToWait) {
  EightRanks run;
  for (std::size_t i = 0; i < 8; ++i) {
    ProcessorUse use;
    use.processors = {0, 1, 2, 3};
    use.wall = 2;
    use.cpu = 1;
    use.delay = 1;
    run.set_use(i, use);
  }
  const ProcessorLoad load = find_processor_load(run.report);
  ASSERT_EQ(load.oversubscription.size(), 1u);
  EXPECT_EQ(load.oversubscription[0].node, "n0");
  EXPECT_EQ(load.oversubscription[0].processors, 4u);
  EXPECT_EQ(load.oversubscription[0].threads, 8u);
  EXPECT_DOUBLE_EQ(load.oversubscription[0].share, 0.5);
  ASSERT_EQ(load.ranks.size(), 8u);
}

TEST(ProcessorLoad, ThreadsThatNeverWaitAreNotTooMany) {
  EightRanks run;
  ProcessorUse use;
  use.processors = {0, 1, 2, 3};
  use.wall = 2;
  use.cpu = 0.5;
  use.delay = 0.001;
  for (std::size_t i = 0; i < 8; ++i) run.set_use(i, use);
  EXPECT_TRUE(find_processor_load(run.report).oversubscription.empty());
  // The kernel tells no delays, and the processors were not all in use.
  use.delay.reset();
  for (std::size_t i = 0; i < 8; ++i) run.set_use(i, use);
  EXPECT_TRUE(find_processor_load(run.report).oversubscription.empty());
  use.cpu = 1;
  for (std::size_t i = 0; i < 8; ++i) run.set_use(i, use);
  ASSERT_EQ(find_processor_load(run.report).oversubscription.size(), 1u);
  EXPECT_FALSE(find_processor_load(run.report).oversubscription[0].has_delay);
}

TEST(ProcessorLoad, UnreadableAccountsAreLeftOut) {
  EightRanks run;
  run.report.structure.processes[2].attributes = {{kProcessorUseAttribute, "processors=0-99999999"}};
  EXPECT_TRUE(find_processor_load(run.report).ranks.empty());
}

}  // namespace
}  // namespace tarry

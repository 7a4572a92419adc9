// overheads_test.cpp -- each second of a report belongs to one class of overhead.
#include "findings/overheads/overheads.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "findings/overheads/overheads_lost.hpp"
#include "findings/overheads/wanted_overheads.hpp"
#include "tests/unit/findings/example_report.hpp"

namespace tarry {
namespace {

using enum Overhead;

Overheads overheads_of(const Report& report, const OverheadQuery& query = {}) {
  const auto grid = time_grid_of({&report});
  EXPECT_TRUE(grid.ok());
  auto overheads = find_overheads(report, query, grid.value());
  EXPECT_TRUE(overheads.ok()) << overheads.error().why;
  return overheads.value();
}

// Two processes of two threads: main calls f, f has a parallel region with a barrier, main receives.
struct Hybrid {
  Report report;
  CallPathId main, f, parallel, barrier, receive;
  MetricId time;

  Hybrid() {
    for (std::uint32_t process = 0; process < 2; ++process) {
      report.structure.processes.push_back({"rank", "process", process, 0, {}});
      for (int thread = 0; thread < 2; ++thread)
        report.structure.locations.push_back({"", "thread", thread, process, {}});
    }
    main = add_path(report, add_region(report, "main", "user", "function"), {});
    f = add_path(report, add_region(report, "f(int)", "user", "function"), main);
    parallel = add_path(report, add_region(report, "!$omp parallel @f.c:3", "openmp", "parallel"), f);
    barrier = add_path(report, add_region(report, "!$omp barrier @f.c:3", "openmp", "barrier"), parallel);
    receive = add_path(report, add_region(report, "MPI_Recv", "mpi", "point2point"), main);
    time = add_metric(report, "time", "Time", MetricKind::kExclusive);
    set(report, time, main, {1, 1, 1, 1});
    set(report, time, f, {2, 2, 3, 3});
    set(report, time, parallel, {4, 4, 4, 4});
    set(report, time, barrier, {0.5, 0.25, 0, 0.5});
    set(report, time, receive, {1.5, 1.5, 2, 2});
    const MetricId idle = add_metric(report, "omp_idle_threads", "Idle threads", MetricKind::kExclusive, time);
    const MetricId limited = add_metric(report, "omp_limited_parallelism", "Limited", MetricKind::kExclusive, idle);
    set(report, idle, main, {0, 1, 0, 1});
    set(report, idle, f, {0, 2, 0, 3});
    set(report, idle, parallel, {0, 0, 0, 4});
    set(report, limited, parallel, {0, 0, 0, 4});
    set(report, idle, receive, {0, 1.5, 0, 2});
    const MetricId management = add_metric(report, "omp_management", "Management", MetricKind::kExclusive, time);
    set(report, management, parallel, {0.125, 0.25, 0.125, 0});
    const MetricId late = add_metric(report, "mpi_latesender", "Late Sender", MetricKind::kExclusive, time);
    set(report, late, receive, {1.25, 0, 0.5, 0});
  }
};

TEST(Overheads, EachSecondBelongsToOneClass) {
  const Hybrid run;
  const Overheads found = overheads_of(run.report);
  EXPECT_EQ(found.all[kUnparallelized], 10.5);
  EXPECT_EQ(found.all[kPartlyParallel], 4);
  EXPECT_EQ(found.all[kForkJoin], 0.5);
  EXPECT_EQ(found.all[kThreadBarrier], 1.25);
  EXPECT_EQ(found.all[kMessageWait], 1.75);
  EXPECT_EQ(found.all[kReceive], 1.75);
  EXPECT_EQ(found.all[kComputation], 18.5);
  EXPECT_EQ(found.all[kLoss], 14.5);
  EXPECT_EQ(found.all[kSynchronization], 3);
  EXPECT_EQ(found.allocation, 38.25);
  EXPECT_EQ(found.all.whole(), found.allocation);
  EXPECT_EQ(found.wall, 10.5);
  EXPECT_TRUE(found.has_wait_states);
}

TEST(Overheads, RegionsHaveTheOperationsInThem) {
  const Hybrid run;
  const Overheads found = overheads_of(run.report);
  ASSERT_EQ(found.regions.size(), 2u);
  const RegionOverheads &f = found.regions[0], &main = found.regions[1];
  EXPECT_EQ(f.name, "f(int)");
  EXPECT_EQ(f.times[kThreadBarrier], 1.25);
  EXPECT_EQ(f.times[kPartlyParallel], 4);
  EXPECT_EQ(f.times[kReceive], 0);
  EXPECT_TRUE(main.is_root);
  EXPECT_EQ(main.times[kMessageWait], 1.75);
  Seconds places = 0;
  for (const OverheadPlace& place : found.places) places += place.seconds;
  EXPECT_EQ(places, found.allocation);
  EXPECT_EQ(found.places.front().call_path, run.parallel);
  EXPECT_EQ(found.places.front().overhead, kComputation);
}

TEST(Overheads, OfARegionAndWhatItCalls) {
  const Hybrid run;
  for (const char* name : {"f", "f(int)", "f*"}) {
    const Overheads found = overheads_of(run.report, {name, {}});
    EXPECT_EQ(found.allocation, 27.25) << name;
    EXPECT_EQ(found.all[kReceive], 0);
    EXPECT_EQ(found.all.whole(), found.allocation);
  }
  const auto grid = time_grid_of({&run.report});
  const auto missing = find_overheads(run.report, {"g", {}}, grid.value());
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().what, "g");
}

// Waits longer than their call, idle threads that were never there, and times that are no numbers take what is left.
TEST(Overheads, ContradictionsNeverCountTwice) {
  Hybrid run;
  set(run.report, run.report.find_metric("mpi_latesender"), run.receive,
      {5, -1, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()});
  set(run.report, run.report.find_metric("omp_idle_threads"), run.main, {7, 7, 7, 7});
  set(run.report, run.time, run.f, {2, -2, 3, 3});
  const Overheads found = overheads_of(run.report);
  EXPECT_EQ(found.allocation, 34.25);
  EXPECT_EQ(found.all.whole(), found.allocation);
  EXPECT_EQ(found.all[kMessageWait], 3.5);
  EXPECT_EQ(found.all[kReceive], 0);
  set(run.report, run.time, run.f, {2, std::numeric_limits<double>::quiet_NaN(), 3, 3});
  EXPECT_FALSE(time_grid_of({&run.report}).ok());
}

// Times such as 0.1 have no exact sums as doubles: parts of them do all the same.
TEST(Overheads, SumsAreExactWhateverTheTimes) {
  std::mt19937_64 random(19);
  std::uniform_real_distribution<double> exponent(-12, 5);
  for (int round = 0; round < 200; ++round) {
    Hybrid run;
    for (const CallPathId path : {run.main, run.f, run.parallel, run.barrier, run.receive})
      for (double& value : run.report.row(run.time, path)) value = std::pow(10, exponent(random));
    for (double& value : run.report.row(run.report.find_metric("mpi_latesender"), run.receive))
      value = std::pow(10, exponent(random));
    const Overheads found = overheads_of(run.report);
    Seconds leaves = 0, roots = 0, regions = 0, places = 0;
    for (const OverheadInfo& info : overhead_classes()) {
      if (is_leaf(info.overhead)) leaves += found.all[info.overhead];
      if (info.parent == Overhead::kNone) roots += found.all[info.overhead];
    }
    for (const RegionOverheads& region : found.regions) regions += region.times.whole();
    for (const OverheadPlace& place : found.places) places += place.seconds;
    EXPECT_EQ(leaves, found.allocation);
    EXPECT_EQ(roots, found.allocation);
    EXPECT_EQ(regions, found.allocation);
    EXPECT_EQ(places, found.allocation);
    Seconds time = 0;
    for (const CallPathId path : {run.main, run.f, run.parallel, run.barrier, run.receive})
      for (const double value : run.report.find_row(run.time, path)) time += value;
    EXPECT_NEAR(found.allocation, time, 1e-13 * time);
  }
}

TEST(Overheads, EventsHaveATimeIfTheyHaveACost) {
  Hybrid run;
  const MetricId faults = add_metric(run.report, "page-faults", "Faults", MetricKind::kExclusive, {}, "");
  set(run.report, faults, run.main, {4, 0, 8, 0});
  set(run.report, faults, run.receive, {100, 0, 0, 0});
  const Overheads counted = overheads_of(run.report);
  ASSERT_EQ(counted.events.size(), 1u);
  EXPECT_EQ(counted.events[0].overhead, kPageFaults);
  EXPECT_EQ(counted.events[0].count, 112);
  EXPECT_EQ(counted.all[kPageFaults], 0);
  const Overheads timed = overheads_of(run.report, {"", {{"page-faults", 0.0625}}});
  EXPECT_EQ(timed.all[kPageFaults], 0.25 + 0.5 + 0.25);  // of the receive, waiting leaves no more than 0.25
  EXPECT_EQ(timed.all.whole(), timed.allocation);
  const auto grid = time_grid_of({&run.report});
  EXPECT_FALSE(find_overheads(run.report, {"", {{"task-clock", 1}}}, grid.value()).ok());
  EXPECT_FALSE(find_overheads(run.report, {"", {{"major-faults", 1}}}, grid.value()).ok());
}

// Ranks that each compute in share and repeat; two of them also in extra.
Report run_of(std::size_t ranks, double share, double repeat, double extra) {
  Report report;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    report.structure.processes.push_back({"rank", "process", rank, 0, {}});
    report.structure.locations.push_back({"", "thread", 0, rank, {}});
  }
  const CallPathId root = add_path(report, add_region(report, ranks > 1 ? "par" : "ser", "user", "function"), {});
  const MetricId time = add_metric(report, "time", "Time", MetricKind::kExclusive);
  const auto add = [&](const char* name, const char* paradigm, double seconds) {
    const CallPathId path = add_path(report, add_region(report, name, paradigm, "barrier"), root);
    for (double& value : report.row(time, path)) value = seconds;
  };
  for (double& value : report.row(time, root)) value = 0.5 / static_cast<double>(ranks);
  add("share", "user", share);
  add("repeat", "user", repeat);
  if (extra > 0) add("extra", "user", extra);
  if (ranks > 1) add("MPI_Barrier", "mpi", 0.25);
  return report;
}

TEST(OverheadsLost, ComputationBeyondTheReferenceIsReplicatedOrAdditional) {
  const Report serial = run_of(1, 8, 2, 0), parallel = run_of(4, 2.25, 2, 0.125);
  const auto grid = time_grid_of({&serial, &parallel});
  auto run = find_overheads(parallel, {}, grid.value());
  const auto before = find_overheads(serial, {}, grid.value());
  const Seconds allocation = run.value().allocation;
  find_additional(run.value(), before.value(), grid.value());
  const Overheads& found = run.value();
  EXPECT_EQ(found.all[kReplicated], 6);       // three of four do what one is enough for
  EXPECT_EQ(found.all[kAlgorithm], 1 + 0.5);  // share is 1 longer than before, extra is new
  EXPECT_EQ(found.all[kComputation], 10.5);   // what the reference does; programs have different names
  EXPECT_EQ(found.all[kBarrier], 1);
  EXPECT_EQ(found.all.whole(), allocation);
  EXPECT_EQ(found.all[kAdditional], 1.5);
  Seconds places = 0;
  for (const OverheadPlace& place : found.places) places += place.seconds;
  EXPECT_EQ(places, allocation);
  const OverheadTimes lost = lost_against(found, before.value());
  EXPECT_EQ(lost[kComputation], 0);
  EXPECT_EQ(lost.whole(), allocation - before.value().allocation);
}

TEST(OverheadsLost, LessComputationIsNoOverhead) {
  const Report serial = run_of(1, 8, 2, 1), parallel = run_of(2, 3, 0.75, 0);
  const auto grid = time_grid_of({&serial, &parallel});
  auto run = find_overheads(parallel, {}, grid.value());
  const auto before = find_overheads(serial, {}, grid.value());
  find_additional(run.value(), before.value(), grid.value());
  EXPECT_EQ(run.value().all[kAlgorithm], 0);
  EXPECT_EQ(run.value().all[kReplicated], 0);
  const OverheadTimes lost = lost_against(run.value(), before.value());
  EXPECT_EQ(lost[kComputation], -2 - 0.5 - 1);
  EXPECT_EQ(lost[kBarrier], 0.5);
}

TEST(WantedOverheads, AreThoseOfTheRegionWithWhatItCalls) {
  Hybrid run;
  const std::uint32_t directive = add_region(run.report, "overheads=OSYN,COMP,NONE", "user", "artificial");
  const CallPathId parameter = add_path(run.report, directive, run.f);
  set(run.report, run.time, parameter, {0.5, 0, 0, 0});
  const CallPathId inner = add_path(run.report, add_region(run.report, "g", "user", "function"), parameter);
  set(run.report, run.time, inner, {1, 0, 0, 0});
  const CallPathId nested = add_path(run.report, add_region(run.report, "overheads=OADD", "user", "artificial"), inner);
  set(run.report, run.time, nested, {2, 0, 0, 0});
  const Overheads found = overheads_of(run.report);
  EXPECT_EQ(found.regions.size(), 3u);
  const std::vector<WantedOverheads> wanted = wanted_overheads(run.report, found);
  ASSERT_EQ(wanted.size(), 2u);
  EXPECT_EQ(run.report.structure.regions[wanted[0].region].name, "f(int)");
  EXPECT_EQ(wanted[0].classes, (std::vector<Overhead>{kSynchronization, kComputation}));
  EXPECT_EQ(wanted[0].unknown, "NONE");
  EXPECT_EQ(wanted[0].times.whole(), 27.25 + 3.5);
  EXPECT_EQ(wanted[0].times[kSynchronization], 1.25);
  EXPECT_EQ(wanted[1].mnemonics, "OADD");
  EXPECT_EQ(wanted[1].times.whole(), 3);
}

}  // namespace
}  // namespace tarry

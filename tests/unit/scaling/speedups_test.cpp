// speedups_test.cpp -- speedup and efficiency of runs whose times are known, strong and weak.
#include "scaling/speedups.hpp"

#include <gtest/gtest.h>

namespace tarry {
namespace {

constexpr std::uint32_t kExchange = 0, kSolve = 1;

ScaleRuns study_of(std::vector<ScaleRun> runs) {
  return {.names = {"main/exchange", "main/solve"}, .runs = std::move(runs)};
}

ScaleRun run_of(double processes, Seconds runtime, Seconds solve, double n = 512) {
  ScaleRun run{.input = "run",
               .parameters = {{kProcesses, processes}, {kThreads, 1}, {"n", n}},
               .times = {},
               .values = {},
               .parts = {}};
  run.times.runtime = runtime;
  for (int i = 0; i < static_cast<int>(processes); ++i)
    run.times.processes.push_back({.threads = 1,
                                   .useful = solve,
                                   .longest_useful = solve,
                                   .outside_mpi = solve,
                                   .serial_useful = solve,
                                   .in_parallel = 0});
  run.values["time"] = {{kSolve, solve}};
  return run;
}

TEST(Speedups, OfTheSameWork) {
  // Repeats count as their mean: 10 seconds on one process, 3 on four.
  const std::vector<ScaleRun> runs = {run_of(4, 3, 2.5), run_of(1, 9, 9), run_of(1, 11, 11)};
  const Study study = make_study(study_of(runs), Scaling::kStrong);
  ASSERT_EQ(study.configurations.size(), 2u);
  EXPECT_EQ(study.varying, (std::vector<std::string>{kProcesses}));
  EXPECT_EQ(configuration_text(study, study.configurations[1]), "processes=4");
  EXPECT_EQ(study.configurations[0].runs.size(), 2u);
  EXPECT_DOUBLE_EQ(study.configurations[0].efficiency, 1);
  EXPECT_DOUBLE_EQ(study.configurations[1].speedup, 10.0 / 3);
  EXPECT_DOUBLE_EQ(study.configurations[1].efficiency, 10.0 / 3 / 4);
  ASSERT_EQ(study.regions.size(), 1u);
  EXPECT_DOUBLE_EQ(*study.regions[0].speedups[1], 10 / 2.5);
  EXPECT_DOUBLE_EQ(*study.regions[0].efficiencies[1], 1);
}

TEST(Speedups, OfWorkThatGrows) {
  const std::vector<ScaleRun> runs = {run_of(2, 10, 9), run_of(8, 12.5, 9)};
  const Study study = make_study(study_of(runs), Scaling::kWeak);
  EXPECT_DOUBLE_EQ(study.configurations[1].efficiency, 0.8);
  EXPECT_DOUBLE_EQ(study.configurations[1].speedup, 3.2);
  EXPECT_DOUBLE_EQ(*study.regions[0].efficiencies[1], 1);
}

TEST(Speedups, AreOfTheSameOtherParameters) {
  const std::vector<ScaleRun> runs = {run_of(1, 10, 9, 512), run_of(4, 4, 3, 512), run_of(2, 30, 29, 1024),
                                      run_of(4, 20, 15, 1024)};
  const Study study = make_study(study_of(runs), Scaling::kStrong);
  ASSERT_EQ(study.configurations.size(), 4u);
  EXPECT_EQ(configuration_text(study, study.configurations[3]), "processes=4 n=1024");
  EXPECT_EQ(study.configurations[1].reference, 0u);
  EXPECT_EQ(study.configurations[3].reference, 2u);
  EXPECT_DOUBLE_EQ(study.configurations[3].speedup, 1.5);
  EXPECT_DOUBLE_EQ(study.configurations[3].efficiency, 0.75);
}

TEST(Speedups, HaveNoneWhereTheReferenceHasNoTime) {
  std::vector<ScaleRun> runs = {run_of(1, 10, 9), run_of(2, 6, 5)};
  runs[1].values["time"].insert(runs[1].values["time"].begin(), {kExchange, 1.0});
  const Study study = make_study(study_of(runs), Scaling::kStrong);
  ASSERT_EQ(study.regions.size(), 2u);
  EXPECT_EQ(study.regions[1].name, "main/exchange");
  EXPECT_FALSE(study.regions[1].speedups[1]);
}

TEST(TimeByKind, IsTheMeanOfTheRunsInTheOrderOfTheTree) {
  std::vector<ScaleRun> runs = {run_of(1, 10, 9), run_of(2, 6, 5), run_of(2, 7, 6)};
  runs[0].parts = {{"comp", "Computation", 9}, {"mpi_io", "MPI / File I/O", 1}};
  runs[1].parts = {
      {"comp", "Computation", 10}, {"mpi_collective", "MPI / Collective", 2}, {"mpi_io", "MPI / File I/O", 3}};
  runs[2].parts = {{"comp", "Computation", 12}};
  const Study study = make_study(study_of(runs), Scaling::kStrong);
  ASSERT_EQ(study.parts.size(), 3u);
  EXPECT_EQ(study.parts[0].name, "comp");
  EXPECT_EQ(study.parts[0].seconds, (std::vector<double>{9, 11}));
  EXPECT_EQ(study.parts[1].title, "MPI / Collective");
  EXPECT_EQ(study.parts[1].seconds, (std::vector<double>{0, 1}));
  EXPECT_EQ(study.parts[2].seconds, (std::vector<double>{1, 1.5}));
}

TEST(TimeByKind, KeepsTheLargestAndTheSumOfTheOthers) {
  std::vector<ScaleRun> runs = {run_of(1, 10, 9)};
  for (std::size_t i = 0; i < kMostParts + 3; ++i) {
    const std::string name = "part " + std::to_string(i);
    runs[0].parts.push_back({name, name, static_cast<double>(i + 1)});
  }
  const Study study = make_study(study_of(runs), Scaling::kStrong);
  ASSERT_EQ(study.parts.size(), kMostParts + 1);
  EXPECT_EQ(study.parts[0].name, "part 3");
  EXPECT_EQ(study.parts.back().title, "others");
  EXPECT_EQ(study.parts.back().seconds, (std::vector<double>{1 + 2 + 3}));
}

TEST(Speedups, OfOtherMetricsLeaveOutRunsWithoutThem) {
  std::vector<ScaleRun> runs = {run_of(1, 10, 9), run_of(2, 6, 5), run_of(2, 8, 7)};
  runs[0].values["mpi"] = {{kExchange, 4.0}};
  runs[1].values["mpi"] = {{kExchange, 1.0}};
  ScaleRuns named = study_of(runs);
  named.time_metrics = {"mpi", "time"};
  const Study study = make_study(named, Scaling::kStrong);
  ASSERT_EQ(study.regions.size(), 2u);
  EXPECT_EQ(study.regions[0].metric, "mpi");
  EXPECT_DOUBLE_EQ(study.regions[0].times[1], 1);
  EXPECT_DOUBLE_EQ(*study.regions[0].speedups[1], 4);
  EXPECT_EQ(study.regions[1].metric, "time");
  EXPECT_DOUBLE_EQ(study.regions[1].times[1], 6);
}

TEST(SeriesOfRuns, HaveZerosWhereACallPathWasNotVisited) {
  std::vector<ScaleRun> runs = {run_of(1, 10, 9), run_of(2, 6, 5), run_of(2, 7, 6)};
  runs[1].values["time"].insert(runs[1].values["time"].begin(), {kExchange, 1.0});
  const auto series = series_of_runs(study_of(runs));
  ASSERT_TRUE(series.ok());
  ASSERT_EQ(series.value().size(), 2u);
  const MeasuredSeries& exchange = series.value()[0];
  EXPECT_EQ(exchange.call_path, "main/exchange");
  EXPECT_EQ(exchange.parameters, (std::vector<std::string>{kProcesses}));
  ASSERT_EQ(exchange.points.size(), 2u);
  EXPECT_EQ(exchange.points[0].values, (std::vector<double>{0}));
  EXPECT_EQ(exchange.points[1].values, (std::vector<double>{1, 0}));
}

}  // namespace
}  // namespace tarry

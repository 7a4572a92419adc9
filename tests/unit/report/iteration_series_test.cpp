// iteration_series_test.cpp -- a metric of a report by iteration and process.
#include "report/tables/iteration_series.hpp"

#include <gtest/gtest.h>

namespace tarry {
namespace {

// Two ranks; main calls step=0, step=2, step=... and two clusters, and these call work.
class LoopReport {
 public:
  LoopReport() {
    ReportStructure& s = report.structure;
    s.system_nodes = {{"n", "node", "", 0xffffffffu, {}}};
    for (int rank = 0; rank < 2; ++rank) {
      s.processes.push_back({"rank", "process", rank, 0, {}});
      for (int thread = 0; thread < 2; ++thread)
        s.locations.push_back({"thread", "thread", thread, static_cast<std::uint32_t>(rank), {}});
    }
    ReportMetric time;
    time.unique_name = "time";
    time.unit = "sec";
    time_ = report.add_metric(time);
    ReportMetric visits;
    visits.unique_name = "visits";
    visits.unit = "occ";
    visits.type = ValueType::kUint64;
    visits_ = report.add_metric(visits);
    main_ = add_path("main", "function", {});
    work_region_ = region("work", "function");
  }

  // An iteration that takes `own` on each location, and in work `below` on the first one of each rank.
  CallPathId add_iteration(const std::string& name, double visits, double own, double below,
                           const std::string& description = "") {
    const CallPathId path = add_path(name, "dynamic phase", main_);
    report.structure.regions.back().description = description;
    set(path, own, own);
    for (const std::size_t master : {0u, 2u}) report.row(visits_, path)[master] = visits;
    const CallPathId work = add_child(work_region_, path);
    set(work, below, 0);
    return path;
  }

  CallPathId add_path(const std::string& name, const std::string& role, CallPathId parent) {
    return add_child(region(name, role), parent);
  }
  CallPathId add_child(std::uint32_t of, CallPathId parent) {
    ReportCallPath path;
    path.region = of;
    path.parent = parent;
    report.structure.call_paths.push_back(path);
    return CallPathId(report.structure.call_paths.size() - 1);
  }
  void set(CallPathId path, double master, double worker) {
    const auto row = report.row(time_, path);
    row[0] = master;
    row[2] = 2 * master;
    row[1] = row[3] = worker;
  }

  Report report;

 private:
  std::uint32_t region(const std::string& name, const std::string& role) {
    ReportRegion made;
    made.name = name;
    made.role = role;
    report.structure.regions.push_back(made);
    return static_cast<std::uint32_t>(report.structure.regions.size() - 1);
  }

  MetricId time_, visits_;
  CallPathId main_;
  std::uint32_t work_region_ = 0;
};

TEST(IterationSeries, OfCallPaths) {
  LoopReport loop;
  loop.add_iteration("step=2", 1, 1, 10);
  loop.add_iteration("step=0", 1, 2, 20);
  loop.add_iteration("step=...", 3, 3, 30);
  const auto series = read_iterations(loop.report, "step", "time");
  ASSERT_TRUE(series.ok());
  EXPECT_EQ(series.value().iterations, (std::vector<IterationRange>{{0, 0, 1}, {2, 2, 1}, {3, 5, 3}}));
  EXPECT_EQ(series.value().ranks, (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(series.value().values, (std::vector<double>{24, 46, 12, 23, 36, 69}));
  EXPECT_EQ(series.value().mean_row(2), (std::vector<double>{12, 23}));
  EXPECT_EQ(series.value().unit, "sec");
}

TEST(IterationSeries, OfClusters) {
  LoopReport loop;
  loop.add_iteration("step=0", 1, 1, 0);
  loop.add_iteration("step=cluster 1", 2, 2, 0, "iterations 5,9");
  loop.add_iteration("step=cluster 2", 4, 4, 0, "iterations 1-4");
  const auto series = read_iterations(loop.report, "step", "time");
  ASSERT_TRUE(series.ok());
  EXPECT_EQ(series.value().iterations, (std::vector<IterationRange>{{0, 0, 1}, {1, 4, 4}, {5, 6, 2}}));
  EXPECT_EQ(series.value().values, (std::vector<double>{2, 3, 8, 12, 4, 6}));
}

TEST(IterationSeries, OfInstancesOfScoreP) {
  LoopReport loop;
  for (const char* number : {"1", "0"}) {
    const CallPathId path = loop.add_path("sweep", "function", CallPathId(0));
    loop.report.structure.call_paths[path.value].numeric_parameters = {{"instance", number}};
    loop.set(path, *number == '1' ? 5 : 7, 0);
  }
  const auto series = read_iterations(loop.report, "sweep", "time");
  ASSERT_TRUE(series.ok());
  EXPECT_EQ(series.value().values, (std::vector<double>{7, 14, 5, 10}));
}

TEST(IterationSeries, TheTableComesFirst) {
  LoopReport loop;
  loop.add_iteration("step=0", 1, 1, 0);
  add_iteration_table({"step", true, {0, 1}, {{0, 1, 2}}, {{"time", "sec", 0.5, {4, 8}}}}, loop.report.files);
  const auto series = read_iterations(loop.report, "step", "time");
  ASSERT_TRUE(series.ok());
  EXPECT_EQ(series.value().values, (std::vector<double>{2, 4}));
  const auto zeros = read_iterations(loop.report, "step", "mpi_latesender");
  ASSERT_TRUE(zeros.ok());
  EXPECT_EQ(zeros.value().values, (std::vector<double>{0, 0}));
}

TEST(IterationSeries, WhatIsNotThereIsNamed) {
  LoopReport loop;
  loop.add_iteration("step=0", 1, 1, 0);
  EXPECT_FALSE(read_iterations(loop.report, "work", "time").ok());
  EXPECT_FALSE(read_iterations(loop.report, "step", "tim").ok());
  const auto imbalance = read_iterations(loop.report, "step", "imbalance");
  ASSERT_FALSE(imbalance.ok());
  EXPECT_NE(imbalance.error().why.find("do not add up"), std::string::npos);
  const std::string all[] = {"*"};
  const auto table = read_iterations(loop.report, "step", all);
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(table.value().metrics.size(), 2u);
}

TEST(IterationSeries, LabelsOfRanges) {
  EXPECT_EQ(iteration_label({7, 7, 1}), "7");
  EXPECT_EQ(iteration_label({-2, 5, 8}), "-2-5");
  EXPECT_EQ(iteration_label({8, 90, 12}), "8..90 (12)");
}

}  // namespace
}  // namespace tarry

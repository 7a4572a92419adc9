// computed_metrics_test.cpp -- idle threads and imbalance, computed from values that people can add up.
#include <gtest/gtest.h>

#include <algorithm>

#include "report/algebra/cube_values.hpp"
#include "report/algebra/idle_threads_cube.hpp"
#include "report/algebra/imbalance_cube.hpp"
#include "report/tree/metric_tree.hpp"

namespace tarry {
namespace {

// Two processes of two threads: main, main/region (parallel), main/region/work, main/end. Time is stored as `kind`.
class TwoTeams {
 public:
  explicit TwoTeams(MetricKind kind = MetricKind::kExclusive) {
    ReportStructure& s = report.structure;
    s.system_nodes = {{"node", "node", "", 0xffffffffu, {}}};
    s.processes = {{"rank 0", "process", 0, 0, {}}, {"rank 1", "process", 1, 0, {}}};
    for (std::uint32_t process : {0u, 1u})
      for (std::int64_t thread : {0, 1}) s.locations.push_back({"", "thread", thread, process, {}});
    add_path("main", "user", "function", {});
    add_path("region", "openmp", "parallel", CallPathId(0));
    add_path("work", "user", "function", CallPathId(1));
    add_path("end", "user", "function", CallPathId(0));
    for (const char* name :
         {"visits", "time", "comp", "omp_idle_threads", "omp_limited_parallelism", "imbalance", "imbalance_above",
          "imbalance_above_single", "imbalance_below", "imbalance_below_bypass", "imbalance_below_singularity"}) {
      ReportMetric metric;
      metric.unique_name = name;
      metric.kind = metric.unique_name == "time" ? kind : MetricKind::kExclusive;
      report.add_metric(metric);
    }
  }

  void set(const char* metric, std::uint32_t path, std::vector<double> values) {
    std::copy(values.begin(), values.end(),
              report.row(find_metric(report.structure, metric), CallPathId(path)).begin());
  }

  Report report;

 private:
  void add_path(const char* name, const char* paradigm, const char* role, CallPathId parent) {
    ReportRegion region;
    region.name = name;
    region.paradigm = paradigm;
    region.role = role;
    report.structure.regions.push_back(region);
    ReportCallPath path;
    path.region = static_cast<std::uint32_t>(report.structure.call_paths.size());
    path.parent = parent;
    report.structure.call_paths.push_back(path);
  }
};

std::vector<double> row_of(const CubeSource& cube, const char* metric, std::uint32_t path, Flavour flavour) {
  CubeValues values(cube);
  std::vector<double> row;
  if (!values.row(find_metric(cube.structure(), metric), CallPathId(path), flavour, row)) row.assign(4, 0);
  return row;
}

using Row = std::vector<double>;

TEST(IdleThreads, WorkersMissWhatTheirMasterRuns) {
  for (const MetricKind kind : {MetricKind::kExclusive, MetricKind::kInclusive}) {
    TwoTeams teams(kind);
    const bool is_inclusive = kind == MetricKind::kInclusive;
    teams.set("time", 0, is_inclusive ? Row{10, 4, 9, 0} : Row{3, 0, 3, 0});
    teams.set("time", 1, is_inclusive ? Row{5, 4, 6, 0} : Row{1, 1, 2, 0});
    teams.set("time", 2, is_inclusive ? Row{4, 3, 4, 0} : Row{4, 3, 4, 0});
    teams.set("time", 3, Row{2, 0, 0, 0});
    const ReportCube report(teams.report);
    const IdleThreadsCube cube(report);
    const auto exclusive = [&](const char* metric, std::uint32_t path) {
      return row_of(cube, metric, path, Flavour::kExclusive);
    };
    EXPECT_EQ(exclusive("omp_idle_threads", 0), (Row{0, 3, 0, 3}));
    EXPECT_EQ(exclusive("omp_idle_threads", 1), (Row{0, 1, 0, 6}));
    EXPECT_EQ(exclusive("omp_limited_parallelism", 1), (Row{0, 1, 0, 6}));
    EXPECT_EQ(exclusive("omp_limited_parallelism", 0), (Row{0, 0, 0, 0}));
    EXPECT_EQ(exclusive("omp_idle_threads", 2), (Row{0, 0, 0, 0}));
    EXPECT_EQ(exclusive("omp_idle_threads", 3), (Row{0, 2, 0, 0}));
    // Each thread has the time of its process.
    EXPECT_EQ(row_of(cube, "time", 0, Flavour::kInclusive), (Row{10, 10, 9, 9}));
    EXPECT_EQ(exclusive("time", 2), (Row{4, 3, 4, 0}));
  }
}

TEST(IdleThreads, WithoutOpenMpNothingChanges) {
  TwoTeams teams;
  for (ReportRegion& region : teams.report.structure.regions) region.paradigm = "user";
  teams.set("time", 0, {3, 1, 3, 0});
  const ReportCube report(teams.report);
  const IdleThreadsCube cube(report);
  EXPECT_EQ(row_of(cube, "time", 0, Flavour::kExclusive), (Row{3, 1, 3, 0}));
  EXPECT_EQ(row_of(cube, "omp_idle_threads", 0, Flavour::kExclusive), (Row{0, 0, 0, 0}));
}

TEST(Imbalance, OutsideRegionsProcessesCountAndInsideThreads) {
  TwoTeams teams;
  teams.set("comp", 0, {6, 0, 2, 0});
  teams.set("visits", 0, {1, 0, 1, 0});
  teams.set("comp", 2, {1, 2, 3, 6});
  teams.set("visits", 2, {1, 1, 1, 1});
  const ReportCube report(teams.report);
  const ImbalanceCube cube(report);
  const auto of = [&](const char* metric, std::uint32_t path) {
    return row_of(cube, metric, path, Flavour::kExclusive);
  };
  EXPECT_EQ(of("imbalance", 0), (Row{2, 0, 2, 0}));
  EXPECT_EQ(of("imbalance_above", 0), (Row{2, 0, 0, 0}));
  EXPECT_EQ(of("imbalance_below", 0), (Row{0, 0, 2, 0}));
  EXPECT_EQ(of("imbalance", 2), (Row{2, 1, 0, 3}));
  EXPECT_EQ(of("imbalance_below_bypass", 2), (Row{0, 0, 0, 0}));
}

TEST(Imbalance, WhoIsMissingCountsInsideRegions) {
  TwoTeams teams;
  teams.set("comp", 2, {0, 0, 8, 0});
  teams.set("visits", 2, {0, 0, 1, 0});
  teams.set("comp", 3, {4, 0, 0, 0});  // outside a region: who is missing does not count in programs with OpenMP
  teams.set("visits", 3, {1, 0, 0, 0});
  const ReportCube report(teams.report);
  const ImbalanceCube cube(report);
  const auto of = [&](const char* metric, std::uint32_t path) {
    return row_of(cube, metric, path, Flavour::kExclusive);
  };
  EXPECT_EQ(of("imbalance_below_bypass", 2), (Row{2, 2, 0, 2}));
  EXPECT_EQ(of("imbalance_below_singularity", 2), (Row{2, 2, 0, 2}));
  EXPECT_EQ(of("imbalance_above_single", 2), (Row{0, 0, 6, 0}));
  EXPECT_EQ(of("imbalance_below_bypass", 3), (Row{0, 0, 0, 0}));
}

}  // namespace
}  // namespace tarry

// time_parts_test.cpp -- the parts of a report's time add up to it, and do not depend on what an analysis found.
#include "scaling/time_parts.hpp"

#include <gtest/gtest.h>

#include "report/algebra/cube_source.hpp"
#include "report/tree/report.hpp"

namespace tarry {
namespace {

// A report of one call path and two threads.
class Times {
 public:
  Times() {
    report_.structure.regions.emplace_back().name = "main";
    report_.structure.call_paths.emplace_back();
    report_.structure.system_nodes.emplace_back().name = "machine";
    report_.structure.processes.emplace_back().name = "rank 0";
    report_.structure.locations.resize(2);
  }

  MetricId add(const std::string& name, MetricId parent, double first, double second) {
    ReportMetric metric;
    metric.unique_name = name;
    metric.display_name = "The " + name;
    metric.unit = "sec";
    metric.parent = parent;
    const MetricId id = report_.add_metric(std::move(metric));
    const auto row = report_.row(id, CallPathId(0));
    row[0] = first;
    row[1] = second;
    return id;
  }

  std::vector<TimePart> parts() {
    const ReportCube cube(report_);
    CubeValues values(cube);
    return time_parts(values);
  }

 private:
  Report report_;
};

TEST(TimeParts, AddUpToAllTime) {
  Times times;
  const MetricId time = times.add("time", {}, 10, 20);
  times.add("visits", {}, 7, 7);
  const MetricId execution = times.add("execution", time, 10, 18);
  times.add("comp", execution, 6, 6);
  const MetricId mpi = times.add("mpi", execution, 4, 11);
  times.add("mpi_collective", mpi, 4, 8);
  times.add("mpi_io", mpi, 0, 0);
  const std::vector<TimePart> wanted = {{"time", "The time", 2},
                                        {"execution", "The execution", 1},
                                        {"comp", "The comp", 12},
                                        {"mpi", "The mpi", 3},
                                        {"mpi_collective", "The mpi / The mpi_collective", 12}};
  EXPECT_EQ(times.parts(), wanted);
}

TEST(TimeParts, HaveWaitStatesInTheOperationThatWaits) {
  Times times;
  const MetricId time = times.add("time", {}, 10, 10);
  const MetricId messages = times.add("mpi_point2point", time, 4, 4);
  const MetricId late = times.add("mpi_latesender", messages, 3, 3);
  times.add("mpi_latesender_wo", late, 1, 1);
  const MetricId collective = times.add("mpi_collective", time, 2, 2);
  times.add("mpi_wait_nxn", collective, 1, 1);
  times.add("mpi_nxn_completion", collective, 1, 1);
  const std::vector<TimePart> wanted = {{"time", "The time", 8},
                                        {"mpi_point2point", "The mpi_point2point", 8},
                                        {"mpi_collective", "The mpi_collective", 4}};
  EXPECT_EQ(times.parts(), wanted);
}

TEST(TimeParts, AreNoneWithoutTime) {
  Times times;
  times.add("visits", {}, 7, 7);
  EXPECT_TRUE(times.parts().empty());
}

}  // namespace
}  // namespace tarry

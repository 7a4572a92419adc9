// write_report_test.cpp -- the results of all processes become a report.
#include "analysis/writing/write_report.hpp"

#include <gtest/gtest.h>

#include "tests/unit/analysis/analysis_of.hpp"

namespace tarry {
namespace {

Report report_of(SyntheticTrace& trace) {
  AnalysisOf found(trace);
  return make_report(found.trace().definitions(), found.trace().regions(), found.take_result(),
                     trace.faults().summary(), 2);
}

const std::string& region_of(const Report& report, std::size_t path) {
  return report.structure.regions[report.structure.call_paths[path].region].name;
}

TEST(WriteReport, UnifiesTheCallTreesInPreorder) {
  SyntheticTrace trace(2);
  trace.on(0).enter(0, "main").enter(1, "f").visit(2, 3, "g").leave(4).leave(9);
  trace.on(1).enter(0, "main").visit(1, 2, "h").enter(3, "f").visit(4, 5, "x").leave(6).leave(9);
  const Report report = report_of(trace);
  std::vector<std::string> names;
  for (std::size_t p = 0; p < report.structure.call_paths.size(); ++p) names.push_back(region_of(report, p));
  EXPECT_EQ(names, (std::vector<std::string>{"main", "f", "g", "x", "h"}));
  EXPECT_EQ(report.structure.call_paths[3].parent, CallPathId(1));
  EXPECT_EQ(report.structure.call_paths[4].parent, CallPathId(0));
  EXPECT_FALSE(report.structure.call_paths[0].parent.is_valid());
}

TEST(WriteReport, TimesAreSecondsAndCountsAreCounts) {
  SyntheticTrace trace(2);
  trace.edit_definitions().clock.ticks_per_second = 8;
  trace.on(0).enter(0, "MPI_Send").send(0, 1, 100).leave(20);
  trace.on(1).enter(0, "MPI_Recv").recv(16, 0, 100).leave(16);
  const Report report = report_of(trace);
  EXPECT_EQ(report.exclusive(report.find_metric("time"), CallPathId(0), 0), 2.5);
  EXPECT_EQ(report.exclusive(report.find_metric("time"), CallPathId(1), 1), 2);
  EXPECT_EQ(report.exclusive(report.find_metric("bytes_sent"), CallPathId(0), 0), 100);
  EXPECT_EQ(report.exclusive(report.find_metric("visits"), CallPathId(0), 1), 0);
}

TEST(WriteReport, HoldsOnlyMetricsWithValuesAndTheirParents) {
  SyntheticTrace trace(1);
  trace.on(0).enter(0, "main").visit(1, 2, "MPI_Barrier").leave(3);
  const Report report = report_of(trace);
  EXPECT_TRUE(report.find_metric("mpi_sync_collective").is_valid());
  EXPECT_TRUE(report.find_metric("mpi").is_valid());
  EXPECT_FALSE(report.find_metric("mpi_latesender").is_valid());
  EXPECT_FALSE(report.find_metric("omp_time").is_valid());
}

TEST(WriteReport, DamageIsWrittenDown) {
  SyntheticTrace trace(1);
  trace.on(0).enter(0, "main");
  const Report report = report_of(trace);
  const auto& attributes = report.structure.attributes;
  const auto found =
      std::find_if(attributes.begin(), attributes.end(), [](const auto& a) { return a.first == "Tarry::Incomplete"; });
  ASSERT_NE(found, attributes.end());
  EXPECT_NE(found->second.find("1 unclosed region"), std::string::npos);
}

}  // namespace
}  // namespace tarry

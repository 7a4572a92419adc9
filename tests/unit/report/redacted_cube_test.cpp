// redacted_cube_test.cpp -- what a redacted report still tells.
#include "report/algebra/redacted_cube.hpp"

#include <gtest/gtest.h>

#include "report/cubex/cubex_writer.hpp"
#include "tests/unit/report/sample_report.hpp"

namespace tarry {
namespace {

TEST(Redacted, PathsLoseTheirFolders) {
  EXPECT_EQ(without_folders("main (/home/ann/heat.c:12)"), "main (heat.c:12)");
  EXPECT_EQ(without_folders("/home/ann/a.c,/home/ann/b.c"), "a.c,b.c");
  EXPECT_EQ(without_folders("operator/ (a / b)"), "operator/ (a / b)");
  EXPECT_EQ(without_folders("/usr"), "/usr");
  EXPECT_EQ(without_folders("MPI_Send"), "MPI_Send");
  EXPECT_EQ(without_folders("file=/scratch/ann/out"), "file=out");
  EXPECT_EQ(without_folders(""), "");
}

RedactedCube redacted(Report& report) { return RedactedCube(std::make_unique<ReportCube>(report)); }

TEST(Redacted, HostsAndAttributesAreGone) {
  Report report = sample_report();
  ReportStructure& given = report.structure;
  given.attributes.emplace_back(kIncompleteAttribute, "events/host7.tev is cut");
  given.system_nodes[1].name = "host7";
  given.processes[1].name = "process 77 on host7";
  given.processes[1].attributes = {{"cwd", "/home/ann"}};
  given.regions[0].module = "/home/ann/heat.c";
  given.call_paths[4].module = "/home/ann/ring.c";
  const RedactedCube cube = redacted(report);
  const ReportStructure& kept = cube.structure();
  const std::vector<std::pair<std::string, std::string>> attributes = {
      {"Creator", "test"}, {kIncompleteAttribute, "parts of the run are missing"}};
  EXPECT_EQ(kept.attributes, attributes);
  EXPECT_TRUE(kept.mirrors.empty());
  EXPECT_EQ(kept.system_nodes[1].name, "1");
  EXPECT_EQ(kept.processes[1].name, "rank 1");
  EXPECT_TRUE(kept.processes[1].attributes.empty());
  EXPECT_EQ(kept.regions[0].module, "heat.c");
  EXPECT_EQ(kept.call_paths[4].module, "ring.c");
}

TEST(Redacted, ValuesStay) {
  Report report = sample_report();
  const RedactedCube cube = redacted(report);
  std::vector<double> row(report.structure.locations.size());
  cube.read_row(MetricId(0), CallPathId(0), row);
  const auto given = report.find_row(MetricId(0), CallPathId(0));
  EXPECT_EQ(row, std::vector<double>(given.begin(), given.end()));
  EXPECT_EQ(cube.has_row(MetricId(2), CallPathId(0)), !report.find_row(MetricId(2), CallPathId(0)).empty());
}

TEST(Redacted, OnlyKnownFilesStay) {
  Report report = sample_report();
  report.files = {{"messages.matrix", {1}}, {"files.table", {2}}, {"notes.txt", {3}}, {"instances.csv", {4}}};
  EXPECT_EQ(redacted(report).files().size(), 2u);
  // Tables of waits name call paths as they were.
  report.structure.regions[0].name = "main (/home/ann/heat.c)";
  const RedactedCube cube = redacted(report);
  ASSERT_EQ(cube.files().size(), 1u);
  EXPECT_EQ(cube.files()[0].name, "messages.matrix");
}

}  // namespace
}  // namespace tarry

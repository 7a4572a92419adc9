// findings_test.cpp -- findings of reports built in memory: three ranks, the last of which computes longest.
#include "tools/report/findings.hpp"

#include <gtest/gtest.h>

#include "tools/report/advice.hpp"
#include "tools/report/findings_data.hpp"
#include "tools/report/findings_text.hpp"

namespace tarry {
namespace {

std::uint32_t add_region(Report& report, const char* name, const char* paradigm, const char* role) {
  ReportRegion region;
  region.name = name;
  region.paradigm = paradigm;
  region.role = role;
  report.structure.regions.push_back(region);
  return static_cast<std::uint32_t>(report.structure.regions.size() - 1);
}

CallPathId add_path(Report& report, std::uint32_t region, CallPathId parent) {
  ReportCallPath path;
  path.region = region;
  path.parent = parent;
  report.structure.call_paths.push_back(path);
  return CallPathId(report.structure.call_paths.size() - 1);
}

MetricId add_metric(Report& report, const char* name, const char* display, MetricKind kind, MetricId parent = {},
                    const char* unit = "sec") {
  ReportMetric metric;
  metric.unique_name = name;
  metric.display_name = display;
  metric.unit = unit;
  metric.kind = kind;
  metric.parent = parent;
  return report.add_metric(metric);
}

void set(Report& report, MetricId metric, CallPathId path, std::initializer_list<double> values) {
  std::copy(values.begin(), values.end(), report.row(metric, path).begin());
}

struct Example {
  Report report;
  CallPathId root, compute, allreduce, receive;
  MetricId time;

  Example() {
    ReportStructure& structure = report.structure;
    structure.system_nodes = {{"cluster", "machine", "", 0xffffffffu, {}}, {"n0", "node", "", 0, {}}};
    for (int rank = 0; rank < 3; ++rank) {
      structure.processes.push_back({"MPI Rank " + std::to_string(rank), "process", rank, 1, {}});
      structure.locations.push_back({"Master thread", "thread", 0, static_cast<std::uint32_t>(rank), {}});
    }
    root = add_path(report, add_region(report, "heat", "user", "function"), {});
    compute = add_path(report, add_region(report, "compute", "user", "function"), root);
    allreduce = add_path(report, add_region(report, "MPI_Allreduce", "mpi", "all2all"), root);
    receive = add_path(report, add_region(report, "MPI_Recv", "mpi", "point2point"), root);
    time = add_metric(report, "time", "Time", MetricKind::kInclusive);
    set(report, time, root, {10, 10, 10});
    set(report, time, compute, {4, 4, 8});
    set(report, time, allreduce, {4, 4, 1});
    set(report, time, receive, {1, 1, 0});
    const MetricId visits = add_metric(report, "visits", "Visits", MetricKind::kExclusive, {}, "occ");
    for (const CallPathId path : {root, compute, allreduce}) set(report, visits, path, {1, 1, 1});
    set(report, visits, receive, {2, 2, 0});
  }

  void add_waits() {
    const MetricId nxn = add_metric(report, "mpi_wait_nxn", "Wait at N x N", MetricKind::kExclusive, time);
    set(report, nxn, allreduce, {3.5, 3.25, 0});
    const MetricId late = add_metric(report, "mpi_latesender", "Late Sender", MetricKind::kExclusive, time);
    const MetricId wrong =
        add_metric(report, "mpi_latesender_wo", "Messages in Wrong Order", MetricKind::kExclusive, late);
    set(report, late, receive, {0.5, 0.5, 0});
    set(report, wrong, receive, {0.5, 0.25, 0});
    add_metric(report, "mpi_wait_direct", "Direct", MetricKind::kExclusive);
  }
};

TEST(Findings, ClassesPartitionTheAllocationTime) {
  Example example;
  const auto found = find_findings(example.report, 10);
  ASSERT_TRUE(found.ok());
  const Findings& findings = found.value();
  EXPECT_EQ(findings.program, "heat");
  EXPECT_EQ(findings.processes, 3u);
  EXPECT_EQ(findings.nodes, 1u);
  EXPECT_DOUBLE_EQ(findings.wall, 10);
  EXPECT_DOUBLE_EQ(findings.shares.total, 30);
  EXPECT_DOUBLE_EQ(findings.shares.of(TimeClass::kComputation), 19);
  EXPECT_DOUBLE_EQ(findings.shares.of(TimeClass::kCollective), 9);
  EXPECT_DOUBLE_EQ(findings.shares.of(TimeClass::kPointToPoint), 2);
  EXPECT_DOUBLE_EQ(findings.shares.mpi, 11);
  EXPECT_FALSE(findings.is_analysis);
  ASSERT_FALSE(findings.paths.empty());
  EXPECT_EQ(findings.paths.front().call_path, example.compute);
  EXPECT_EQ(findings.paths.front().worst.rank, 2);
}

TEST(Findings, WaitStatesAreRankedAndCountedOnce) {
  Example example;
  example.add_waits();
  const auto found = find_findings(example.report, 10);
  ASSERT_TRUE(found.ok());
  const Findings& findings = found.value();
  EXPECT_TRUE(findings.is_analysis);
  EXPECT_DOUBLE_EQ(findings.waiting, 7.75);
  ASSERT_EQ(findings.waits.size(), 2u);
  EXPECT_EQ(findings.waits[0].metric, "mpi_wait_nxn");
  EXPECT_EQ(findings.waits[0].worst.rank, 0);
  EXPECT_DOUBLE_EQ(findings.waits[0].worst.seconds, 3.5);
  EXPECT_EQ(findings.waits[0].waiting_most, (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(findings.waits[0].ranks.size(), 3u);
  EXPECT_EQ(findings.waits[1].name, "Messages in Wrong Order");
  EXPECT_EQ(findings.waits[1].ranks.size(), 2u);  // rank 2 never receives
}

TEST(Findings, AdviceNamesWhoIsLateAndWhy) {
  Example example;
  example.add_waits();
  const auto findings = find_findings(example.report, 10);
  const auto lines = give_advice(example.report, findings.value(), 3);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0], "rank 2 arrives last at MPI_Allreduce in heat, the others wait 3.375 s on average: "
                      "look at load balance in compute");
  EXPECT_NE(lines[1].find("receive in the order of sending"), std::string::npos);
}

TEST(Findings, EqualRanksHaveNoOverload) {
  Example example;
  set(example.report, example.time, example.compute, {5, 5, 5});
  set(example.report, example.time, example.allreduce, {4, 4, 5});
  EXPECT_FALSE(find_overload(example.report, std::nullopt).has_value());
}

TEST(Findings, AReportWithoutTimeIsRefused) {
  EXPECT_FALSE(find_findings(Report(), 10).ok());
}

TEST(FindingsText, FitsAScreenAndSaysWhatIsMissing) {
  Example example;
  example.add_waits();
  for (int i = 0; i < 50; ++i) {
    const std::uint32_t region = add_region(example.report, std::string(200, 'f').c_str(), "mpi", "all2all");
    const CallPathId path = add_path(example.report, region, example.root);
    set(example.report, example.report.find_metric("mpi_wait_nxn"), path, {1, 1, 0});
  }
  example.report.structure.attributes.push_back({kIncompleteAttribute, "7 records skipped"});
  const auto findings = find_findings(example.report, kFindingsShown);
  const std::string text = findings_text(example.report, findings.value(), "Next: sleep", {true, true});
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 40);
  EXPECT_NE(text.find("INCOMPLETE: 7 records skipped"), std::string::npos);
  EXPECT_TRUE(text.ends_with("Next: sleep\n"));
  const std::string plain = findings_text(example.report, findings.value(), "Next: sleep", {});
  EXPECT_EQ(plain.find('\x1b'), std::string::npos);
  for (std::size_t at = 0, end; at < plain.size(); at = end + 1) {
    end = plain.find('\n', at);
    EXPECT_LE(end - at, 100u);
  }
}

TEST(FindingsData, CsvAndJsonHoldTheSameValues) {
  Example example;
  example.add_waits();
  const auto findings = find_findings(example.report, 10);
  const std::string csv = findings_csv(example.report, findings.value());
  EXPECT_NE(csv.find("wait,mpi_wait_nxn,6.75,0.22500000000000001,heat/MPI_Allreduce,0,3.5,0 1\n"), std::string::npos);
  const std::string json = findings_json(example.report, findings.value());
  EXPECT_NE(json.find("\"version\": 1"), std::string::npos);
  EXPECT_NE(json.find("\"metric\": \"mpi_wait_nxn\""), std::string::npos);
  EXPECT_NE(json.find("\"ranks\": [0, 1]"), std::string::npos);
}

}  // namespace
}  // namespace tarry

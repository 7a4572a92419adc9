// findings_test.cpp -- findings of a report in which the last of three ranks computes longest.
#include "findings/findings.hpp"

#include <gtest/gtest.h>

#include "findings/causes/advice.hpp"
#include "tests/unit/findings/example_report.hpp"

namespace tarry {
namespace {

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
  EXPECT_EQ(findings.paths.front().worst.rank, ReportRank(2));
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
  EXPECT_EQ(findings.waits[0].worst.rank, ReportRank(0));
  EXPECT_DOUBLE_EQ(findings.waits[0].worst.seconds, 3.5);
  EXPECT_EQ(findings.waits[0].waiting_most, (std::vector<ReportRank>{ReportRank(0), ReportRank(1)}));
  EXPECT_EQ(findings.waits[0].ranks.size(), 3u);
  EXPECT_EQ(findings.waits[1].name, "Messages in Wrong Order");
  EXPECT_EQ(findings.waits[1].ranks.size(), 2u);  // rank 2 never receives
}

// Without delay costs the report does not tell why: no cause is made up.
TEST(Findings, WaitsWithoutCostsHaveNoCause) {
  Example example;
  example.add_waits();
  const auto findings = find_findings(example.report, 10);
  const auto lines = give_advice(example.report, findings.value(), 3);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].sentence,
            "MPI_Recv of heat waits for late messages while earlier ones lie ready: receive in the order of sending");
}

TEST(Findings, AdviceTellsInstancesOfATemplateApart) {
  Example example;
  example.add_waits();
  ReportStructure& structure = example.report.structure;
  structure.regions[structure.call_paths[example.root.value].region].name = "run<float>(int)";
  structure.regions[structure.call_paths[example.compute.value].region].name = "run<double>(int)";
  const MetricId costs = add_metric(example.report, "delay_n2n", "Short-term", MetricKind::kExclusive);
  set(example.report, costs, example.compute, {0, 0, 4});
  set(example.report, costs, example.root, {0, 0, 2});
  const auto findings = find_findings(example.report, 10);
  ASSERT_TRUE(findings.ok());
  const auto lines = give_advice(example.report, findings.value(), 3);
  ASSERT_GE(lines.size(), 2u);
  EXPECT_NE(lines[0].sentence.find(" in run<double>"), std::string::npos) << lines[0].sentence;
  EXPECT_NE(lines[1].sentence.find(" in run<float>"), std::string::npos) << lines[1].sentence;
}

TEST(Findings, OneProcessHasThreadsThatWait) {
  Example example;
  example.add_waits();
  const MetricId critical = add_metric(example.report, "critical_path", "Critical path", MetricKind::kExclusive);
  set(example.report, critical, example.compute, {0, 1, 7});
  const auto of_ranks = find_findings(example.report, 10);
  EXPECT_TRUE(of_ranks.value().waits[0].waiting_threads.empty());
  EXPECT_EQ(of_ranks.value().critical_path->parts.front().worst, ReportRank(2));
  EXPECT_EQ(of_ranks.value().critical_path->parts.front().threads, 0u);
  ReportStructure& structure = example.report.structure;
  structure.processes.resize(1);
  for (std::uint32_t i = 0; i < structure.locations.size(); ++i) {
    structure.locations[i].process = 0;
    structure.locations[i].rank = i;
  }
  const auto found = find_findings(example.report, 10);
  ASSERT_TRUE(found.ok());
  const WaitFinding& wait = found.value().waits[0];
  EXPECT_EQ(wait.waiting_threads, (std::vector<ReportThread>{ReportThread(0), ReportThread(1)}));
  EXPECT_EQ(wait.worst_thread.thread, ReportThread(0));
  EXPECT_DOUBLE_EQ(wait.worst_thread.seconds, 3.5);
  const PathFinding& path = found.value().paths.front();
  EXPECT_EQ(path.worst_thread.thread, ReportThread(2));
  EXPECT_DOUBLE_EQ(path.worst_thread.seconds, 8);
  EXPECT_DOUBLE_EQ(path.mean, 16.0 / 3);
  const PathPart& part = found.value().critical_path->parts.front();
  EXPECT_EQ(part.processes, 1u);
  EXPECT_EQ(part.threads, 2u);
  EXPECT_EQ(part.worst_thread, ReportThread(2));
}

TEST(Findings, AReportWithoutTimeIsRefused) { EXPECT_FALSE(find_findings(Report(), 10).ok()); }

}  // namespace
}  // namespace tarry

// findings_text_test.cpp -- findings for people and for programs.
#include "tools/report/findings_text.hpp"

#include <gtest/gtest.h>

#include "tests/unit/findings/example_report.hpp"
#include "findings/findings_data.hpp"

namespace tarry {
namespace {

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
  const SourceLines sources({});
  const TextStyle rich{true, true, 100, false}, simple{false, false, 100, false};
  const NextCommands next{.step = "Next: sleep", .all_causes = "", .traced_archive = ""};
  const std::string text = findings_text(example.report, findings.value(), sources, next, rich);
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 40);
  EXPECT_NE(text.find("INCOMPLETE: 7 records skipped"), std::string::npos);
  EXPECT_TRUE(text.ends_with("Next: sleep\n"));
  const std::string plain = findings_text(example.report, findings.value(), sources, next, simple);
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
  const char* const row = "wait,mpi_wait_nxn,6.75,0.22500000000000001,heat/MPI_Allreduce,0,3.5,0 1,,,\n";
  EXPECT_NE(csv.find(row), std::string::npos);
  const std::string json = findings_json(example.report, findings.value(), SourceLines({}));
  EXPECT_NE(json.find("\"version\": 1"), std::string::npos);
  EXPECT_NE(json.find("\"metric\": \"mpi_wait_nxn\""), std::string::npos);
  EXPECT_NE(json.find("\"ranks\": [0, 1]"), std::string::npos);
}

}  // namespace
}  // namespace tarry

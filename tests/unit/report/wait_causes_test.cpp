// wait_causes_test.cpp -- the table of causes: sums, bounds, bytes, other numbers of call paths.
#include "report/tables/wait_causes.hpp"

#include <gtest/gtest.h>

#include "tests/unit/findings/example_report.hpp"

namespace tarry {
namespace {

CauseAtPath cause(std::uint32_t path, Seconds direct, Seconds indirect, std::uint32_t process) {
  return {CallPathId(path), direct, indirect, 1, {{process, 0, direct + indirect}}};
}

std::vector<WaitCauses> example_causes(const Example& example) {
  return {{.kind = "delay_n2n_aggregate",
           .path = example.allreduce,
           .waiting = 6.75,
           .delays = {cause(example.compute.value, 5, 1, 2), {CallPathId(), 0.5, 0, 2, {{0, 0, 0.25}, {1, 0, 0.25}}}},
           .passed_on = {cause(example.receive.value, 1, 0, 1)}},
          {.kind = "delay_latesender_aggregate", .path = example.receive, .waiting = 1, .delays = {}, .passed_on = {}}};
}

TEST(CauseSums, AddUpByPathAndThread) {
  CauseSums sums;
  for (const auto& each : {cause(7, 1, 0, 0), cause(3, 1, 2, 1), cause(7, 2, 1, 0), cause(7, 0, 5, 2)}) sums.add(each);
  const std::vector<CauseAtPath> found = sums.take();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0], (CauseAtPath{CallPathId(7), 3, 6, 2, {{2, 0, 5}, {0, 0, 4}}}));
  EXPECT_EQ(found[1], (CauseAtPath{CallPathId(3), 1, 2, 1, {{1, 0, 3}}}));
  EXPECT_TRUE(sums.take().empty());
}

TEST(CauseSums, KeepWhatCostsMost) {
  CauseSums sums;
  const std::uint32_t paths = kMostCausePaths + 3;
  for (std::uint32_t path = 0; path < paths; ++path)
    for (std::uint32_t process = 0; process < 100; ++process) sums.add(cause(path, path + 1, 0, process));
  const std::vector<CauseAtPath> found = sums.take();
  ASSERT_EQ(found.size(), kMostCausePaths + 1);
  EXPECT_EQ(found.front().path, CallPathId(paths - 1));
  EXPECT_EQ(found.front().worst.size(), kMostCauseThreads);
  EXPECT_EQ(found.front().threads, 100u);
  EXPECT_FALSE(found.back().path.is_valid());
  EXPECT_DOUBLE_EQ(found.back().direct, 100 * (1 + 2 + 3));
}

TEST(WaitCausesTable, SurvivesTheReport) {
  Example example;
  const std::vector<WaitCauses> causes = example_causes(example);
  std::vector<ReportFile>& files = example.report.files;
  add_causes({}, files);
  EXPECT_TRUE(files.empty());
  EXPECT_TRUE(read_causes(example.report.structure, files).value().empty());
  add_causes(causes, files);
  EXPECT_EQ(read_causes(example.report.structure, files).value(), causes);
  replace_causes({causes[1]}, files);
  EXPECT_EQ(read_causes(example.report.structure, files).value(), (std::vector{causes[1]}));
}

// Each byte is changed in turn: what is read then names only what the report has.
TEST(WaitCausesTable, DamageIsFound) {
  Example example;
  std::vector<ReportFile>& files = example.report.files;
  add_causes(example_causes(example), files);
  const std::vector<std::uint8_t> bytes = files[0].bytes;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    files[0].bytes.assign(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    const auto read = read_causes(example.report.structure, files);
    if (read.ok()) {
      EXPECT_LT(read.value().size(), 2u) << size;
    }
  }
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    files[0].bytes = bytes;
    files[0].bytes[at] ^= 0xff;
    const auto read = read_causes(example.report.structure, files);
    if (!read.ok()) continue;
    for (const WaitCauses& waits : read.value()) {
      EXPECT_LT(waits.path.value, example.report.structure.call_paths.size());
      for (const CauseAtPath& delay : waits.delays)
        for (const CauseOfThread& part : delay.worst) EXPECT_LT(part.process, 3u);
    }
  }
}

TEST(WaitCausesTable, CallPathsThatBecomeOneAreAddedUp) {
  Example example;
  std::vector<CallPathId> places;
  for (std::uint32_t path = 0; path < 4; ++path) places.push_back(CallPathId(path));
  places[example.receive.value] = example.allreduce;
  std::vector<WaitCauses> causes = example_causes(example);
  causes[1].kind = causes[0].kind;
  const auto merged = renumber_causes(causes, places);
  ASSERT_EQ(merged.size(), 1u);
  EXPECT_EQ(merged[0].path, example.allreduce);
  EXPECT_DOUBLE_EQ(merged[0].waiting, 7.75);
  EXPECT_EQ(merged[0].delays, causes[0].delays);
  EXPECT_EQ(merged[0].passed_on[0].path, example.allreduce);
}

}  // namespace
}  // namespace tarry

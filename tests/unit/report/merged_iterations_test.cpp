// merged_iterations_test.cpp -- iterations share call paths, their values add up, and nothing else changes.
#include "report/algebra/merged_iterations.hpp"

#include <gtest/gtest.h>

#include "report/algebra/algebra.hpp"
#include "tests/unit/findings/example_report.hpp"

namespace tarry {
namespace {

TEST(MergedIterations, AddUpBelowOneParent) {
  Example example;
  Report& report = example.report;
  for (const char* name : {"step=0", "step=1", "step=3", "step=cluster 1"}) {
    const CallPathId step = add_path(report, add_region(report, name, "user", "dynamic phase"), example.root);
    set(report, example.time, step, {0.5, 0.5, 0.25});
    set(report, example.time, add_path(report, 1, step), {0.25, 0, 0});
  }
  add_region(report, "step=2", "user", "dynamic phase");  // not recorded
  add_path(report, add_region(report, "n=5", "user", "function"), example.root);
  add_path(report, add_region(report, "n=6", "user", "function"), example.root);
  auto merged = merge_iterations(report.structure);
  ASSERT_TRUE(merged.ok() && *merged);
  const ReportCube source(report);
  const std::vector<bool> is_of_iterations = (*merged)->is_of_iterations;
  const CombinedCube cube({&source}, std::move((*merged)->mapped), Combination::kMerge);
  const ReportStructure& result = cube.structure();
  ASSERT_EQ(result.call_paths.size(), report.structure.call_paths.size() - 4);
  std::vector<double> row(3);
  std::size_t found = 0;
  for (std::uint32_t path = 0; path < result.call_paths.size(); ++path) {
    const std::string text = call_path_text(result, CallPathId(path));
    cube.read_row(MetricId(0), CallPathId(path), row);
    EXPECT_EQ(is_of_iterations[path], text == "heat/step=0,1,3") << text;
    if (text == "heat/step=0,1,3") {
      EXPECT_EQ(row, (std::vector<double>{1.5, 1.5, 0.75}));
      ++found;
    }
    if (text == "heat/step=0,1,3/compute") {
      EXPECT_EQ(row, (std::vector<double>{0.75, 0, 0}));
      ++found;
    }
    if (text == "heat/step=cluster 1" || text == "heat/n=5" || text == "heat/n=6") ++found;
  }
  EXPECT_EQ(found, 5u);
}

TEST(MergedIterations, AreNoneWithoutLoop) {
  Example example;
  add_path(example.report, add_region(example.report, "step=1", "user", "dynamic phase"), example.root);
  auto merged = merge_iterations(example.report.structure);
  ASSERT_TRUE(merged.ok());
  EXPECT_FALSE(*merged);
}

}  // namespace
}  // namespace tarry

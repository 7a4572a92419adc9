// changes_test.cpp -- how two values and two programs differ, in words.
#include "tools/cube-ops/changes.hpp"

#include <gtest/gtest.h>

#include "tests/unit/findings/example_report.hpp"

namespace tarry {
namespace {

TEST(Changes, SmallOnesInPercentLargeOnesAsFactor) {
  EXPECT_EQ(relative_text(2, 2), "");
  EXPECT_EQ(relative_text(0, 2), "new");
  EXPECT_EQ(relative_text(2, 0), "gone");
  EXPECT_EQ(relative_text(6, 7), "+16.7%");
  EXPECT_EQ(relative_text(4, 3), "-25.0%");
  EXPECT_EQ(relative_text(-4, -3), "+25.0%");
  EXPECT_EQ(relative_text(1, 12), "12 times as much");
  EXPECT_EQ(relative_text(1, 123456), "123456 times as much");
}

TEST(Changes, TellsWhatMakesReportsHardToCompare) {
  const Example before, same;
  Example other;
  other.report.structure.processes.pop_back();
  other.report.structure.locations.pop_back();
  other.report.structure.regions[0].name = "cool";
  const auto structure = [](const Example& example) { return &example.report.structure; };
  EXPECT_TRUE(structure_differences({structure(before), structure(same)}, {"a", "b"}).empty());
  const auto lines = structure_differences({structure(before), structure(other)}, {"a", "b"});
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0], "OLD a is of 3 processes, NEW b of 2 processes");
  EXPECT_EQ(lines[1], "OLD a is of program heat, NEW b of cool");
}

}  // namespace
}  // namespace tarry

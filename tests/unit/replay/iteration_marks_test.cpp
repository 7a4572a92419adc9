// iteration_marks_test.cpp -- which regions are iterations, and how their visits are numbered and grouped.
#include "replay/iterations/iteration_marks.hpp"

#include <gtest/gtest.h>

#include "tests/unit/replay/synthetic_source.hpp"

namespace tarry {
namespace {

RegionId iteration(SyntheticTrace& trace, const std::string& name) {
  return trace.define_region(name, Paradigm::kUser, RegionRole::kDynamicPhase);
}

TEST(IterationMarks, OfAMarkedLoop) {
  SyntheticTrace trace(2);
  const RegionId plain = trace.region("step"), seventh = iteration(trace, "step=7"),
                 other = iteration(trace, "outer=1");
  const RegionId third = iteration(trace, "step=-3"), further = iteration(trace, "step=...");
  const auto marks = IterationMarks::find(trace.definitions(), "step");
  ASSERT_TRUE(marks.ok());
  EXPECT_TRUE(marks.value().is_marked_loop());
  EXPECT_FALSE(marks.value().has(plain));
  EXPECT_FALSE(marks.value().has(other));
  EXPECT_FALSE(marks.value().has(RegionId(1000)));
  EXPECT_TRUE(marks.value().has(further));
  EXPECT_FALSE(marks.value().is_numbered(further));
  EXPECT_EQ(marks.value().ordinal_of(third), 0u);
  EXPECT_EQ(marks.value().ordinal_of(seventh), 1u);
  EXPECT_EQ(marks.value().ordinal_of_visit(4), 6u);
  EXPECT_EQ(marks.value().number_at(0), -3);
  EXPECT_EQ(marks.value().number_at(1), 7);
  EXPECT_EQ(marks.value().number_at(6), 12);
}

TEST(IterationMarks, OfVisits) {
  SyntheticTrace trace(2);
  const RegionId solve = trace.region("solve_a"), other = trace.region("solve_b");
  trace.region("MPI_Send");
  const auto one = IterationMarks::find(trace.definitions(), "solve_a");
  ASSERT_TRUE(one.ok());
  EXPECT_TRUE(one.value().has(solve));
  EXPECT_FALSE(one.value().has(other));
  EXPECT_FALSE(one.value().is_marked_loop());
  EXPECT_EQ(one.value().number_at(one.value().ordinal_of_visit(5)), 5);
  const auto both = IterationMarks::find(trace.definitions(), "solve_*");
  EXPECT_TRUE(both.value().has(solve) && both.value().has(other));
  const auto none = IterationMarks::find(trace.definitions(), "solve");
  ASSERT_FALSE(none.ok());
  EXPECT_NE(none.error().hint.find("solve_"), std::string::npos);
}

TEST(IterationMarks, TheOutermostLoopIsDefinedFirst) {
  SyntheticTrace trace(1);
  EXPECT_TRUE(IterationMarks::of_marked_loop(trace.definitions()).is_empty());
  trace.region("x=1");  // no iteration: a function may be called so
  iteration(trace, "outer=0");
  iteration(trace, "inner=0");
  EXPECT_EQ(IterationMarks::of_marked_loop(trace.definitions()).name(), "outer");
}

// Groups that a process makes early lie in groups of all sizes that come later.
TEST(IterationMarks, GroupsLieInLargerOnes) {
  SyntheticTrace trace(1);
  trace.region("r");
  const auto marks = IterationMarks::find(trace.definitions(), "r");
  const std::uint64_t most = marks.value().most_groups();
  EXPECT_EQ(most, 4096u);
  std::uint64_t groups = 0;
  std::uint32_t last_key = 0xffffffffu;
  for (std::uint64_t ordinal = 0; ordinal < 20 * most; ++ordinal) {
    const IterationGroup group = marks.value().group_of(ordinal);
    groups += group.key != last_key;
    last_key = group.key;
    for (const std::uint64_t count : {ordinal + 1, 2 * ordinal + 5, 100 * most}) {
      const int shift = marks.value().shift_of(count);
      ASSERT_LT((count - 1) >> shift, most);
      ASSERT_EQ(group.first >> shift, ordinal >> shift) << ordinal;
    }
  }
  EXPECT_LE(groups, 4 * most);
  EXPECT_EQ(marks.value().shift_of(most), 0);
  EXPECT_EQ(marks.value().shift_of(most + 1), 1);
}

TEST(IterationMarks, LocationsBoundTheGroups) {
  SyntheticTrace trace(2048);
  trace.region("r");
  EXPECT_EQ(IterationMarks::find(trace.definitions(), "r").value().most_groups(), 128u);
}

}  // namespace
}  // namespace tarry

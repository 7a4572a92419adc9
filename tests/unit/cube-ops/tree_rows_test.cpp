// tree_rows_test.cpp -- call trees from both ends hold the whole value, in the order that is wanted.
#include "tools/cube-ops/tree_rows.hpp"

#include <gtest/gtest.h>

#include "report/algebra/metric_totals.hpp"
#include "tests/unit/findings/example_report.hpp"
#include "tools/cube-ops/folded_stacks.hpp"

namespace tarry {
namespace {

struct Tree {
  Example example;
  CallPathId nested;
  MetricTotals totals;

  Tree() {
    nested = add_path(example.report, 2, example.compute);
    set(example.report, example.time, nested, {1, 1, 1});
    totals = total_of(example.report, example.time);
  }

  static double sum_of_roots(const std::vector<TreeRow>& rows) {
    double sum = 0;
    for (const TreeRow& row : rows) sum += row.depth == 0 ? row.value : 0;
    return sum;
  }
};

TEST(TreeRows, LastLevelHoldsAllBelow) {
  Tree tree;
  const ReportCube cube(tree.example.report);
  TreeWishes wishes;
  wishes.depth = 2;
  double sum = 0;
  for (const TreeRow& row : top_down_rows(cube, tree.totals, wishes)) {
    EXPECT_LT(row.depth, 2u);
    sum += row.value;
  }
  EXPECT_DOUBLE_EQ(sum, tree.totals.whole);
  EXPECT_EQ(top_down_rows(cube, tree.totals, {}).size(), 5u);
}

TEST(TreeRows, BottomUpRootsAreRegions) {
  Tree tree;
  const ReportCube cube(tree.example.report);
  const std::vector<TreeRow> rows = bottom_up_rows(cube, tree.totals, {});
  EXPECT_DOUBLE_EQ(Tree::sum_of_roots(rows), tree.totals.whole);
  EXPECT_EQ(rows[0].path, tree.example.compute);  // 13 s of its own
  EXPECT_DOUBLE_EQ(rows[0].value, 13);
  // MPI_Allreduce: 9 s from the program, 3 s from compute.
  EXPECT_DOUBLE_EQ(rows[2].value, 12);
  EXPECT_EQ(rows[3].path, tree.example.root);
  EXPECT_DOUBLE_EQ(rows[3].value, 9);
  EXPECT_EQ(rows[4].path, tree.example.compute);
  EXPECT_DOUBLE_EQ(rows[4].value, 3);
}

TEST(TreeRows, BottomUpOfADeepRecursionIsBounded) {
  Example example;
  CallPathId path = example.compute;
  for (int i = 0; i < 20000; ++i) path = add_path(example.report, 1, path);
  set(example.report, example.time, path, {1, 0, 0});
  const MetricTotals totals = total_of(example.report, example.time);
  const ReportCube cube(example.report);
  std::uint32_t deepest = 0;
  for (const TreeRow& row : bottom_up_rows(cube, totals, {})) deepest = std::max(deepest, row.depth);
  EXPECT_EQ(deepest, kMostCallers - 1);
}

TEST(FoldedStacks, HoldTheWholeValue) {
  Tree tree;
  const ReportCube cube(tree.example.report);
  for (const std::uint32_t depth : {1u, 2u, 100u})
    for (const double least : {0.0, 4.0}) {
      const FoldedStacks stacks = folded_stacks(cube, tree.example.time, tree.totals, {least, depth, false});
      double sum = 0;
      for (std::size_t at = 0; at < stacks.text.size(); at = stacks.text.find('\n', at) + 1)
        sum += std::stod(stacks.text.substr(stacks.text.find(' ', at)));
      EXPECT_DOUBLE_EQ(sum, tree.totals.whole * 1e9) << depth << " " << least;
    }
}

TEST(FoldedStacks, NamesCannotBreakTheForm) {
  EXPECT_EQ(stack_name("a;b\nc"), "a\\x3bb\\x0ac");
  EXPECT_EQ(stack_name("step 3"), "step_3");
  EXPECT_EQ(stack_name("step 3.5"), "step_3.5");
  EXPECT_EQ(stack_name("a b"), "a b");
  EXPECT_EQ(stack_name(""), "(no name)");
  EXPECT_EQ(stack_name("a "), "a_");
}

}  // namespace
}  // namespace tarry

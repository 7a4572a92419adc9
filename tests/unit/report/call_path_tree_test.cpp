// call_path_tree_test.cpp -- orders of the call tree and names of paths.
#include "report/call_path_tree.hpp"

#include <gtest/gtest.h>

#include "tests/unit/report/sample_report.hpp"

namespace tarry {
namespace {

TEST(CallPathTree, OrdersOfRows) {
  const CallPathTree tree(sample_report().structure.call_paths);
  EXPECT_EQ(tree.preorder(), (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(tree.sibling_block_order(), (std::vector<std::uint32_t>{0, 1, 4, 2, 3, 5}));
}

TEST(CallPathTree, SeveralRootsAndMixedOrder) {
  std::vector<ReportCallPath> paths(6);  // 0 <2 <4>, 3>, 1 <5>
  const int parents[] = {-1, -1, 0, 0, 2, 1};
  for (int i = 0; i < 6; ++i)
    if (parents[i] >= 0) paths[i].parent = CallPathId(parents[i]);
  const CallPathTree tree(paths);
  EXPECT_EQ(tree.preorder(), (std::vector<std::uint32_t>{0, 2, 4, 3, 1, 5}));
  EXPECT_EQ(tree.sibling_block_order(), (std::vector<std::uint32_t>{0, 2, 3, 4, 1, 5}));
  EXPECT_EQ(CallPathTree({}).preorder().size(), 0u);
}

TEST(CallPathTree, DeepTreesNeedNoStack) {
  std::vector<ReportCallPath> paths(300000);
  for (std::size_t i = 1; i < paths.size(); ++i) paths[i].parent = CallPathId(i - 1);
  EXPECT_EQ(CallPathTree(paths).preorder().back(), 299999u);
}

TEST(CallPathTree, NamesAreEscaped) {
  EXPECT_EQ(call_path_text(sample_report().structure, CallPathId(3)),
            "main/a\\/b\\\\<int, 'x'>/a\\/b\\\\<int, 'x'>/MPI_Send");
}

}  // namespace
}  // namespace tarry

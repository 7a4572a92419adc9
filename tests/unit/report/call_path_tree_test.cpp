// call_path_tree_test.cpp -- orders of the call tree and names of paths.
#include "report/tree/call_path_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "report/tree/path_text.hpp"
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

// The texts of all paths of a deep recursion would take the square of its depth.
TEST(CallPathTree, OfDeepPathsTheEndIsNamed) {
  ReportStructure structure;
  structure.regions.push_back({});
  structure.regions[0].name = "f";
  structure.call_paths.resize(300'000);
  for (std::size_t i = 1; i < structure.call_paths.size(); ++i) structure.call_paths[i].parent = CallPathId(i - 1);
  for (ReportCallPath& path : structure.call_paths) path.region = 0;
  std::string whole = "f";
  for (std::size_t i = 1; i < kMostPathNames; ++i) whole += "/f";
  EXPECT_EQ(call_path_text(structure, CallPathId(kMostPathNames - 1)), whole);
  EXPECT_EQ(call_path_text(structure, CallPathId(kMostPathNames)), "(call path 1024) .../" + whole);
  std::size_t bytes = 0;
  for (std::uint32_t path = 0; path < structure.call_paths.size(); ++path)
    bytes = std::max(bytes, call_path_text(structure, CallPathId(path)).size());
  EXPECT_EQ(bytes, whole.size() + std::string("(call path 299999) .../").size());
}

}  // namespace
}  // namespace tarry

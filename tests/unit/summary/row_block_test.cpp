// row_block_test.cpp -- rows are found by call path and metric.
#include "summary/row_block.hpp"

#include <gtest/gtest.h>

namespace tarry {
namespace {

TEST(RowBlock, FindsRows) {
  RowBlock block({{2, 7}, {0, 3}, {2, 1}, {2, 7}}, 4, 2);
  ASSERT_EQ(block.places().size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) block.row(i)[1] = static_cast<double>(i + 1);
  EXPECT_EQ(block.find(0, 3)[1], 1);
  EXPECT_EQ(block.find(2, 1)[1], 2);
  EXPECT_EQ(block.find(2, 7)[1], 3);
  EXPECT_EQ(block.find(2, 7)[0], 0);
}

TEST(RowBlock, KnowsWhatItLacks) {
  RowBlock block({{1, 5}}, 3, 1);
  EXPECT_TRUE(block.find(1, 4).empty());
  EXPECT_TRUE(block.find(0, 5).empty());
  EXPECT_TRUE(block.find(2, 5).empty());
  EXPECT_FALSE(block.has_rows(0));
  EXPECT_TRUE(block.has_rows(1));
  EXPECT_FALSE(block.has_rows(2));
}

TEST(RowBlock, MayBeEmpty) {
  RowBlock block({}, 2, 8);
  EXPECT_TRUE(block.places().empty());
  EXPECT_TRUE(block.find(1, 0).empty());
  EXPECT_TRUE(RowBlock().find(1, 0).empty());
}

}  // namespace
}  // namespace tarry

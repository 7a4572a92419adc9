// row_table_test.cpp -- rows are known by metric and call path.
#include "summary/row_table.hpp"

#include <gtest/gtest.h>

namespace tarry {
namespace {

TEST(RowTable, HasWhatWasAdded) {
  RowTable rows(3);
  rows.add(1, 70);
  rows.add(1, 2);
  EXPECT_TRUE(rows.has(1, 70));
  EXPECT_TRUE(rows.has(1, 2));
  EXPECT_FALSE(rows.has(1, 3));
  EXPECT_FALSE(rows.has(1, 71));
  EXPECT_FALSE(rows.has(0, 2));
  EXPECT_TRUE(rows.has_any(1));
  EXPECT_FALSE(rows.has_any(2));
}

}  // namespace
}  // namespace tarry

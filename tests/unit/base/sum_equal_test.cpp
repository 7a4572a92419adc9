// sum_equal_test.cpp -- rows of one key become one.
#include "base/arrays/sum_equal.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tarry {
namespace {

struct Count {
  std::string name;
  std::string calls;  // in the order in which they were added
  bool operator==(const Count&) const = default;
};

std::vector<Count> summed(std::vector<Count> rows) {
  sum_equal(rows, &Count::name, [](Count& sum, const Count& row) { sum.calls += row.calls; });
  return rows;
}

TEST(SumEqual, RowsOfOneKeyBecomeOneInTheOrderOfKeys) {
  const std::vector<Count> rows = summed({{"b", "1"}, {"a", "2"}, {"b", "3"}, {"c", "4"}, {"b", "5"}, {"a", "6"}});
  EXPECT_EQ(rows, (std::vector<Count>{{"a", "26"}, {"b", "135"}, {"c", "4"}}));
}

TEST(SumEqual, DifferentKeysStayAsTheyAre) {
  EXPECT_TRUE(summed({}).empty());
  EXPECT_EQ(summed({{"a", "1"}}), (std::vector<Count>{{"a", "1"}}));
  EXPECT_EQ(summed({{"b", "1"}, {"a", "a name that is too long to lie inside of a string"}}),
            (std::vector<Count>{{"a", "a name that is too long to lie inside of a string"}, {"b", "1"}}));
}

TEST(SumEqual, AKeyMayBeAFunction) {
  std::vector<int> rows = {13, 21, 11, 22, 33};
  sum_equal(
      rows, [](int row) { return row % 10; }, [](int& sum, int row) { sum += row / 10 * 10; });
  EXPECT_EQ(rows, (std::vector<int>{31, 22, 43}));
}

}  // namespace
}  // namespace tarry

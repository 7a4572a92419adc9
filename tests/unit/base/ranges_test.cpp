// ranges_test.cpp -- parts that users write down: numbers and times.
#include "base/text/ranges.hpp"

#include <gtest/gtest.h>

namespace tarry {
namespace {

TEST(NumberRanges, NumbersAndRanges) {
  const auto some = NumberRanges::parse("0,4-7,9").value();
  for (const int number : {0, 4, 7, 9}) EXPECT_TRUE(some.contains(number)) << number;
  for (const int number : {1, 3, 8, 10}) EXPECT_FALSE(some.contains(number)) << number;
  EXPECT_TRUE(NumberRanges::parse("").value().is_all());
  EXPECT_TRUE(NumberRanges::parse("").value().contains(123));
  for (const char* wrong : {"3-1", "x", "1,,2", "-1", "1-", "1 2", "99999999999999999999"})
    EXPECT_FALSE(NumberRanges::parse(wrong).ok()) << wrong;
}

TEST(TimeWindow, OpenAndClosed) {
  EXPECT_EQ(TimeWindow::parse("2:5.5").value().end, 5.5);
  EXPECT_EQ(TimeWindow::parse(":5.5").value().begin, 0);
  EXPECT_GT(TimeWindow::parse("2:").value().end, 1e300);
  for (const char* wrong : {"", "5", "5:2", "2:2", "x:1", "-1:2", "1:nan"})
    EXPECT_FALSE(TimeWindow::parse(wrong).ok()) << wrong;
}

}  // namespace
}  // namespace tarry

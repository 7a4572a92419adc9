// time_ranges_test.cpp -- parts of a thread's time.
#include "replay/scan/time_ranges.hpp"

#include <gtest/gtest.h>

namespace tarry {
namespace {

using Range = TimeRanges::Range;

TEST(TimeRanges, AreSortedAndJoined) {
  const TimeRanges ranges({{8, 9}, {1, 3}, {2, 5}, {5, 6}, {7, 7}});
  EXPECT_EQ(ranges.all(), (std::vector<Range>{{1, 6}, {8, 9}}));
}

TEST(TimeRanges, OverlapIsTheSumOfTheParts) {
  const TimeRanges ranges({{1, 6}, {8, 9}, {12, 20}});
  EXPECT_EQ(ranges.overlap(0, 30), 14);
  EXPECT_EQ(ranges.overlap(2, 4), 2);
  EXPECT_EQ(ranges.overlap(5, 13), 3);
  EXPECT_EQ(ranges.overlap(6, 8), 0);
  EXPECT_EQ(ranges.overlap(7, 7), 0);
  EXPECT_EQ(TimeRanges().overlap(0, 5), 0);
}

TEST(TimeRanges, ContainTheirBeginButNotTheirEnd) {
  const TimeRanges ranges({{1, 3}, {5, 6}});
  EXPECT_FALSE(ranges.contains(0));
  EXPECT_TRUE(ranges.contains(1));
  EXPECT_TRUE(ranges.contains(2));
  EXPECT_FALSE(ranges.contains(3));
  EXPECT_TRUE(ranges.contains(5));
  EXPECT_FALSE(ranges.contains(6));
}

}  // namespace
}  // namespace tarry

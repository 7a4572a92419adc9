// open_visits_test.cpp -- the stack of open regions, and its counts from the first question on.
#include "replay/scan/open_visits.hpp"

#include <gtest/gtest.h>

namespace tarry {
namespace {

TEST(OpenVisits, HasNoPathWhereNoneIsOpen) {
  OpenVisits open;
  EXPECT_EQ(open.path(), kNoPath);
  open.enter(7, RegionId(1), 100);
  open.enter(8, RegionId(2), 110);
  EXPECT_EQ(open.path(), 8u);
  EXPECT_EQ(open.depth(), 2u);
  EXPECT_EQ(open[0].enter, 100);
  EXPECT_EQ(open.innermost().calls, 1u);
  open.leave();
  EXPECT_EQ(open.path(), 7u);
  open.leave();
  EXPECT_TRUE(open.is_empty());
}

// A region may be open several times. Before the first question nothing is counted.
TEST(OpenVisits, CountsRegionsFromTheFirstQuestionOn) {
  OpenVisits open;
  open.enter_uncounted(0, RegionId(1), 0);
  open.enter(1, RegionId(2), 0);
  EXPECT_FALSE(open.is_counting());
  EXPECT_TRUE(open.has(RegionId(1)));
  EXPECT_FALSE(open.has(RegionId(3)));
  EXPECT_TRUE(open.is_counting());
  open.enter(2, RegionId(2), 0);
  open.leave();
  EXPECT_TRUE(open.has(RegionId(2)));
  open.leave();
  EXPECT_FALSE(open.has(RegionId(2)));
  open.enter(3, RegionId(3), 0);
  EXPECT_TRUE(open.has(RegionId(3)));
}

}  // namespace
}  // namespace tarry

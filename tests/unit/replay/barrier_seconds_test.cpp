// barrier_seconds_test.cpp -- floating-point times between the barriers of one thread.
#include <gtest/gtest.h>

#include <map>

#include "replay/scan/barrier_seconds.hpp"

namespace tarry {
namespace {

std::map<PathIndex, double> times_before(const BarrierSeconds& seconds, std::uint32_t barrier) {
  std::map<PathIndex, double> times;
  for (const PathSeconds& entry : seconds.before(BarrierIndex(barrier)))
    EXPECT_TRUE(times.emplace(entry.path, entry.seconds).second);
  return times;
}

TEST(BarrierSeconds, AddsUpRoundedDifferences) {
  const Clock clock{.ticks_per_second = 3, .origin = 100};
  BarrierSeconds seconds(clock);
  seconds.begin_region(7, 101, 102);
  seconds.credit(7, 105);
  seconds.credit(2, 107);
  seconds.credit(7, 108);
  seconds.end_interval(BarrierIndex(0));
  seconds.credit(9, 110);
  seconds.credit(7, 111);
  seconds.end_interval(BarrierIndex(1));
  seconds.end_region();
  seconds.finish();
  const std::map<PathIndex, double> first = {{7, (2 / 3. - 1 / 3.) + (5 / 3. - 2 / 3.) + (8 / 3. - 7 / 3.)},
                                             {2, 7 / 3. - 5 / 3.}};
  const std::map<PathIndex, double> second = {{9, 10 / 3. - 8 / 3.}, {7, 11 / 3. - 10 / 3.}};
  EXPECT_EQ(times_before(seconds, 0), first);
  EXPECT_EQ(times_before(seconds, 1), second);
}

TEST(BarrierSeconds, KnowNothingOutsideParallelRegions) {
  const Clock clock{.ticks_per_second = 1};
  BarrierSeconds seconds(clock);
  seconds.credit(1, 5);
  seconds.end_interval(BarrierIndex(0));
  seconds.begin_region(2, 10, 10);
  seconds.credit(2, 12);
  seconds.end_interval(BarrierIndex(2));  // nothing is known of barrier 1
  seconds.end_region();
  seconds.credit(1, 20);
  seconds.end_interval(BarrierIndex(3));
  seconds.finish();
  EXPECT_TRUE(seconds.before(BarrierIndex(0)).empty());
  EXPECT_TRUE(seconds.before(BarrierIndex(1)).empty());
  EXPECT_EQ(times_before(seconds, 2), (std::map<PathIndex, double>{{2, 2}}));
  EXPECT_TRUE(seconds.before(BarrierIndex(3)).empty());
  EXPECT_TRUE(seconds.before(BarrierIndex(99)).empty());
}

}  // namespace
}  // namespace tarry

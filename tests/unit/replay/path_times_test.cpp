// path_times_test.cpp -- time of a thread finds its call path, in sums and log, also where a part is selected.
#include "replay/scan/path_times.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace tarry {
namespace {

using Entries = std::vector<std::pair<PathIndex, Ticks>>;

Entries log_of(const LogicalThread& thread) {
  Entries found;
  thread.log.for_each(0, thread.log.end(), [&](PathIndex path, Ticks ticks) { found.emplace_back(path, ticks); });
  return found;
}

TEST(PathTimes, CreditsThePathThatWasCurrent) {
  LogicalThread thread;
  PathTimes times(thread);
  times.begin(100);
  times.make_room(1);
  times.credit(0, 130);
  times.credit(kNoPath, 150);
  times.credit(1, 155);
  times.credit(0, 140);  // a damaged time stamp
  times.finish();
  EXPECT_EQ(thread.time, (std::vector<Ticks>{30, 5}));
  EXPECT_EQ(log_of(thread), (Entries{{0, 30}, {1, 5}}));
  EXPECT_EQ(thread.first_time, 100);
  EXPECT_EQ(thread.last_time, 155);
}

TEST(PathTimes, MovesTimeToAnotherPath) {
  LogicalThread thread;
  PathTimes times(thread);
  times.make_room(2);
  times.credit(0, 10);
  times.move(0, 1, 4, 4);
  times.move(kNoPath, 2, 3, 3);
  EXPECT_EQ(thread.time, (std::vector<Ticks>{6, 4, 3}));
  EXPECT_EQ(log_of(thread), (Entries{{0, 6}, {1, 4}, {2, 3}}));
}

// The log has a border where the part begins and ends; sums have only what lies between.
TEST(PathTimes, CutsTheLogAtBordersOfTheSelectedPart) {
  const TimeRanges selected(std::vector<TimeRanges::Range>{{.begin = 10, .end = 20}});
  LogicalThread thread;
  thread.selected = &selected;
  PathTimes times(thread);
  times.make_room(0);
  times.set_moving(true);
  times.credit(0, 12);  // no border yet: this time may move
  times.set_moving(false);
  times.credit(0, 30);
  times.finish();
  EXPECT_EQ(thread.time, (std::vector<Ticks>{10}));
  EXPECT_EQ(thread.cuts, (std::vector<LogPosition>{1, 2}));
  EXPECT_EQ(log_of(thread), (Entries{{0, 12}, {0, 8}, {0, 10}}));
}

}  // namespace
}  // namespace tarry

// time_log_test.cpp -- what call paths got between two positions, whatever the width of an entry.
#include "replay/scan/time_log.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace tarry {
namespace {

using Entries = std::vector<std::pair<PathIndex, Ticks>>;

constexpr Ticks kMega = Ticks{1} << 20;  // does not fit into a short entry
constexpr Ticks kGiga = Ticks{1} << 32;  // nor into a wide one

Entries entries(const TimeLog& log, LogPosition begin, LogPosition end) {
  Entries found;
  log.for_each(begin, end, [&](PathIndex path, Ticks ticks) { found.emplace_back(path, ticks); });
  return found;
}
Entries entries(const TimeLog& log) { return entries(log, 0, log.end()); }

TEST(TimeLog, AddsUpBetweenMarks) {
  TimeLog log;
  log.add(0, 5);
  log.add(1, 7);
  log.add(0, 6);
  const LogPosition middle = log.mark();
  log.add(0, 1);
  log.add(0, 0);
  log.add(1, -3);
  EXPECT_EQ(entries(log, 0, middle), (Entries{{0, 11}, {1, 7}}));
  EXPECT_EQ(entries(log, middle, log.end()), (Entries{{0, 1}}));
}

TEST(TimeLog, UsuallyTakesOneWordAnEntry) {
  TimeLog log;
  for (PathIndex path = 0; path < 2048; ++path) log.add(path, kMega - 1);
  EXPECT_EQ(log.end(), 2048u);
  log.add(2048, 1);
  EXPECT_EQ(log.end(), 2050u);
  EXPECT_EQ(entries(log, 2048, 2050), (Entries{{2048, 1}}));
}

// Each keeps its place and stays one entry.
TEST(TimeLog, EntriesGrow) {
  TimeLog log;
  const Entries added{{0, kMega - 1}, {3, 2}, {5000, 4}, {1, kMega}, {2, 9}};
  for (const auto& [path, ticks] : added) log.add(path, ticks);
  log.add(0, 1);
  log.add(2, kMega);
  log.add(3, kMega);
  log.add(1, 1);
  log.add(5000, 1);
  log.add(3, 1);
  EXPECT_EQ(entries(log), (Entries{{0, kMega}, {3, kMega + 3}, {5000, 5}, {1, kMega + 1}, {2, kMega + 9}}));
}

TEST(TimeLog, TakesAnyTime) {
  TimeLog log;
  log.add(1, 3 * kGiga + 5);
  log.add(2, kGiga - 1);
  log.add(2, 2);
  log.add(1, 1);
  EXPECT_EQ(entries(log), (Entries{{1, 3 * kGiga}, {1, 6}, {2, kGiga - 1}, {2, 2}}));
}

TEST(TimeLog, TakesBackWhatCameSinceTheMark) {
  TimeLog log;
  log.add(1, 10);
  log.mark();
  log.add(1, 20);
  log.add(2, 30);
  log.take_back(1, 5);
  log.take_back(2, 31);
  EXPECT_EQ(entries(log), (Entries{{1, 10}, {1, 15}, {2, 0}}));
  log.take_back(1, 100);
  EXPECT_EQ(entries(log), (Entries{{1, 10}, {1, 0}, {2, 0}}));
}

TEST(TimeLog, TakesBackFromLongTimes) {
  TimeLog log;
  log.add(1, kMega + 5);
  log.take_back(1, 6);
  EXPECT_EQ(entries(log), (Entries{{1, kMega - 1}}));
  log.mark();
  const LogPosition middle = log.end();
  log.add(1, 2 * kGiga + 5);
  log.take_back(1, 10);
  EXPECT_EQ(entries(log, middle, log.end()), (Entries{{1, kGiga}, {1, kGiga - 5}}));
}

// A pinned position stays between two entries.
TEST(TimeLog, PinsHold) {
  TimeLog log;
  log.add(1, 10);
  log.add(2, 20);
  const LogPosition pin = log.pin();
  log.add(3, 30);
  log.add(1, kMega);
  log.add(2, 1);
  log.add(3, kMega);
  EXPECT_EQ(entries(log, 0, pin), (Entries{{1, 10}, {2, 21}}));
  EXPECT_EQ(entries(log, pin, log.end()), (Entries{{3, kMega + 30}, {1, kMega}}));
}

}  // namespace
}  // namespace tarry

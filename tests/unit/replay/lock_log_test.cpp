// lock_log_test.cpp -- acquisitions of locks come back as they were added, and released late if they were.
#include "replay/scan/lock_log.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace tarry {
namespace {

struct Read {
  LockAcquisition lock;
  LockPlace place;
};

std::vector<Read> all_of(const LockLog& log) {
  std::vector<Read> all;
  log.for_each([&](LockIndex number, const LockAcquisition& lock, const LockPlace& place) {
    EXPECT_EQ(number.value, all.size());
    all.push_back({lock, place});
  });
  return all;
}

// The n-th of a thread that takes three locks in turn.
Read acquisition(std::uint32_t n) {
  const Ticks enter = 1000 + 300 * Ticks{n};
  const ThreadMoment at{.time = enter, .path = n % 5, .position = 3 * n, .calls_before = n / 7, .event = 4 * n};
  return {{.lock = 0x7f0000601000u + n % 3 * 64,
           .order = 1 + n / 3,
           .enter = enter,
           .acquire = enter + n % 100,
           .release = enter + n % 100,
           .path = n % 5,
           .is_shared = n % 4 == 1},
          {.enter = at, .release = at}};
}

ThreadMoment moment_of_release(std::uint32_t n) {
  return {.time = 1200 + 300 * Ticks{n}, .path = 9, .position = 3 * n + 2, .calls_before = n / 7, .event = 4 * n + 2};
}

void expect_equal(const ThreadMoment& read, const ThreadMoment& added) {
  EXPECT_EQ(read.time, added.time);
  EXPECT_EQ(read.path, added.path);
  EXPECT_EQ(read.position, added.position);
  EXPECT_EQ(read.calls_before, added.calls_before);
  EXPECT_EQ(read.event, added.event);
}

void expect_equal(const Read& read, const Read& added) {
  EXPECT_EQ(read.lock.lock, added.lock.lock);
  EXPECT_EQ(read.lock.order, added.lock.order);
  EXPECT_EQ(read.lock.enter, added.lock.enter);
  EXPECT_EQ(read.lock.acquire, added.lock.acquire);
  EXPECT_EQ(read.lock.release, added.lock.release);
  EXPECT_EQ(read.lock.path, added.lock.path);
  EXPECT_EQ(read.lock.is_shared, added.lock.is_shared);
  expect_equal(read.place.enter, added.place.enter);
  expect_equal(read.place.release, added.place.release);
}

std::vector<Read> written(const std::vector<Read>& added) {
  LockLog log;
  LockLogWriter writer(log);
  for (const Read& one : added) writer.add(one.lock, one.place);
  writer.finish();
  return all_of(log);
}

TEST(LockLog, HoldsNothingAtFirst) {
  LockLog log;
  LockLogWriter(log).finish();
  EXPECT_TRUE(log.empty());
  EXPECT_TRUE(all_of(log).empty());
}

TEST(LockLog, GivesBackWhatWasAdded) {
  LockLog log;
  LockLogWriter writer(log);
  std::vector<Read> added;
  for (std::uint32_t n = 0; n < 1000; ++n) {
    Read& one = added.emplace_back(acquisition(n));
    const LockIndex number = writer.add(one.lock, one.place);
    EXPECT_EQ(number, LockIndex(n));
    writer.mark_unsuccessful(number);
    one.lock.is_unsuccessful = one.lock.is_shared;
    one.place.release = moment_of_release(n);
    one.lock.release = one.place.release.time;
    writer.release(number, one.lock.release, one.place.release);
  }
  writer.finish();
  EXPECT_EQ(log.size(), 1000u);
  const std::vector<Read> read = all_of(log);
  ASSERT_EQ(read.size(), added.size());
  for (std::size_t n = 0; n < read.size(); ++n) expect_equal(read[n], added[n]);
}

// However many others were acquired since, and whatever came before.
TEST(LockLog, KnowsLateReleases) {
  LockLog log;
  LockLogWriter writer(log);
  std::vector<Read> added;
  for (std::uint32_t n = 0; n < 1000; ++n) {
    const Read& one = added.emplace_back(acquisition(n));
    writer.add(one.lock, one.place);
  }
  for (const std::uint32_t n : {500u, 3u, 999u, 3u}) {
    added[n].lock.release += 77;
    added[n].place.release = moment_of_release(n);
    writer.release(LockIndex(n), added[n].lock.release, added[n].place.release);
  }
  added[4].lock.release += 5;
  writer.release(LockIndex(4), added[4].lock.release, std::nullopt);
  writer.finish();
  const std::vector<Read> read = all_of(log);
  ASSERT_EQ(read.size(), added.size());
  for (std::size_t n = 0; n < read.size(); ++n) expect_equal(read[n], added[n]);
}

TEST(LockLog, TakesAnyNumbers) {
  constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();
  constexpr auto kEarliest = std::numeric_limits<Ticks>::min(), kLatest = std::numeric_limits<Ticks>::max();
  std::vector<Read> added;
  for (const Ticks time : {Ticks{0}, kLatest, kEarliest, Ticks{-1}})
    for (const std::uint32_t small : {0u, 0xffffffffu, 0x7fffffffu}) {
      const ThreadMoment at{.time = time, .path = small, .position = small, .calls_before = small, .event = small};
      added.push_back({{.lock = kMost - small,
                        .order = kMost / 3 * small,
                        .enter = time,
                        .acquire = kLatest,
                        .release = kEarliest,
                        .path = small,
                        .is_shared = small == 0},
                       {.enter = at, .release = {kLatest, ~small, ~small, ~small, ~small}}});
    }
  const std::vector<Read> read = written(added);
  ASSERT_EQ(read.size(), added.size());
  for (std::size_t n = 0; n < read.size(); ++n) expect_equal(read[n], added[n]);
}

}  // namespace
}  // namespace tarry

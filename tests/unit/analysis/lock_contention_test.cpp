// lock_contention_test.cpp -- waiting for locks, by the formula of docs/METRICS.md, "Lock Contention".
#include <gtest/gtest.h>

#include "analysis_of.hpp"

namespace tarry {
namespace {

using enum Metric;

constexpr const char* kCritical = "!$omp critical @x.c:1";
constexpr const char* kSetLock = "omp_set_lock";

// Thread 0 holds lock 7 from 10 to 40; thread 1 enters at 15 and gets it at 45.
void add_contention(SyntheticTrace& trace, const std::string& region, std::uint64_t order = 2) {
  trace.define_region(kSetLock, Paradigm::kOpenMp, RegionRole::kFunction);
  trace.on(0, 0).enter(0, region).acquire(10, 7, 1).leave(11);
  trace.on(0, 0).release(40, 7, 1);
  trace.on(0, 1).enter(15, region).acquire(45, 7, order).leave(46);
  trace.on(0, 1).release(50, 7, order);
}

TEST(LockContention, FromItsEnterToTheReleaseByTheOther) {
  SyntheticTrace trace(1, 2);
  add_contention(trace, kCritical);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kOmpLockContentionCritical, kCritical, 0, 1), 25);
  EXPECT_EQ(found.total(kOmpLockContentionCritical), 25);
  EXPECT_EQ(found.total(kOmpLockContentionApi), 0);
}

TEST(LockContention, OfLockFunctions) {
  SyntheticTrace trace(1, 2);
  add_contention(trace, kSetLock);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kOmpLockContentionApi, kSetLock, 0, 1), 25);
  EXPECT_EQ(found.total(kOmpLockContentionCritical), 0);
}

TEST(LockContention, AFailedAttemptIsNoAcquisition) {
  SyntheticTrace trace(1, 2);
  add_contention(trace, kSetLock, 0);
  EXPECT_EQ(AnalysisOf(trace).total(kOmpLockContentionApi), 0);
}

TEST(LockContention, DifferentLocksHaveNothingToDoWithEachOther) {
  SyntheticTrace trace(1, 2);
  trace.on(0, 0).enter(0, kCritical).acquire(1, 7, 1);
  trace.on(0, 0).release(40, 7, 1).leave(41);
  trace.on(0, 1).enter(15, kCritical).acquire(16, 8, 2).leave(46);
  EXPECT_EQ(AnalysisOf(trace).total(kOmpLockContentionCritical), 0);
}

// Thread 0 reads from 10 to 30, thread 1 from 12 to 40. Thread 2 wants to write from 20 on and does from 41 to 60.
// Thread 3 wants to read from 50 on.
TEST(LockContention, ReadersExcludeWritersOnly) {
  const char* read = "pthread_rwlock_rdlock";
  const char* write = "pthread_rwlock_wrlock";
  SyntheticTrace trace(1, 4);
  for (const char* name : {read, write}) trace.define_region(name, Paradigm::kPthread, RegionRole::kFunction);
  const auto holds = [&trace](std::uint32_t thread, const char* region, int enter, int from, int to,
                              std::uint64_t order) {
    trace.on(0, thread).enter(enter, region).acquire(from, 7, order, Paradigm::kOpenMp).leave(from);
    trace.on(0, thread).release(to, 7, 0, Paradigm::kOpenMp);
  };
  holds(0, read, 9, 10, 30, 0);
  holds(1, read, 11, 12, 40, 0);
  holds(2, write, 20, 41, 60, 1);
  holds(3, read, 50, 61, 70, 0);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kPthreadLockContentionRwlock, write, 0, 2), 20);
  EXPECT_EQ(found.value(kPthreadLockContentionRwlock, read, 0, 3), 10);
  EXPECT_EQ(found.total(kPthreadLockContentionRwlock), 30);
  EXPECT_EQ(found.total(kPthreadLockContentionMutex), 0);
  EXPECT_EQ(AnalysisOf(trace, Compatibility::reference()).total(kPthreadLockContentionRwlock), 0);
}

}  // namespace
}  // namespace tarry

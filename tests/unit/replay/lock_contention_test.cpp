// lock_contention_test.cpp -- waiting for locks; the first case is METRICS' golden trace G4 in tenths.
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
  trace.on(0, 0).enter(0, region).add(10, EventKind::kThreadAcquireLock, {0, 7, 1}).leave(11);
  trace.on(0, 0).add(40, EventKind::kThreadReleaseLock, {0, 7, 1});
  trace.on(0, 1).enter(15, region).add(45, EventKind::kThreadAcquireLock, {0, 7, order}).leave(46);
  trace.on(0, 1).add(50, EventKind::kThreadReleaseLock, {0, 7, order});
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
  trace.on(0, 0).enter(0, kCritical).add(1, EventKind::kThreadAcquireLock, {0, 7, 1});
  trace.on(0, 0).add(40, EventKind::kThreadReleaseLock, {0, 7, 1}).leave(41);
  trace.on(0, 1).enter(15, kCritical).add(16, EventKind::kThreadAcquireLock, {0, 8, 2}).leave(46);
  EXPECT_EQ(AnalysisOf(trace).total(kOmpLockContentionCritical), 0);
}

}  // namespace
}  // namespace tarry

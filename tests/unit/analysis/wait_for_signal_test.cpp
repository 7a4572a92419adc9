// wait_for_signal_test.cpp -- waiting of threads for signals of conditions, for semaphores and at their barriers.
#include <gtest/gtest.h>

#include "analysis_of.hpp"

namespace tarry {
namespace {

using enum Metric;

constexpr const char* kWait = "pthread_cond_wait";
constexpr const char* kSignal = "pthread_cond_signal";
constexpr const char* kBarrier = "pthread_barrier_wait";
constexpr std::uint64_t kMutex = 7, kCondition = 8, kNothing = 0;

class WaitForSignal : public testing::Test {
 protected:
  WaitForSignal() {
    for (const char* name : {kWait, kSignal, kBarrier, "sem_wait", "sem_timedwait", "sem_post", "pthread_mutex_lock"})
      trace_.define_region(name, Paradigm::kPthread, RegionRole::kFunction);
  }

  void pass(std::uint32_t thread, Ticks time, std::uint64_t of, std::uint64_t order) {
    trace_.on(0, thread).acquire(time, of, order, Paradigm::kOpenMp);
    trace_.on(0, thread).release(time, of, 0, Paradigm::kOpenMp);
  }

  void gives(const char* region, Ticks time, std::uint64_t of, std::uint64_t order) {
    trace_.on(0, 0).enter(time, region);
    pass(0, time, of, order);
    trace_.on(0, 0).leave(time + 1);
  }

  // A wait of the second thread whose time was up.
  void waits_unsuccessfully(const char* region, Ticks enter, Ticks until, std::uint64_t of) {
    trace_.on(0, 1).enter(enter, region).acquire(until, of, 0, Paradigm::kOpenMp);
    trace_.on(0, 1).release(until, of, 1, Paradigm::kOpenMp).leave(until);
  }

  // One that ends at 70: the post came at 60.
  void waits_for_post(Ticks enter, std::uint64_t of) {
    gives("sem_post", 60, of, 1);
    trace_.on(0, 1).enter(enter, "sem_timedwait");
    pass(1, 70, of, 0);
    trace_.on(0, 1).leave(70);
  }

  // The first thread has the mutex from 30 on and signals at 40; it lets the mutex go at 60. The other one waits from
  // 10 to 65 and knows of which condition.
  void signal_with_mutex(std::uint64_t of) {
    trace_.on(0, 0).enter(30, "pthread_mutex_lock").acquire(30, kMutex, 2, Paradigm::kOpenMp).leave(31);
    gives(kSignal, 40, kCondition, 1);
    trace_.on(0, 0).enter(60, "f").release(60, kMutex, 0, Paradigm::kOpenMp).leave(61);
    trace_.on(0, 1).enter(5, "pthread_mutex_lock").acquire(5, kMutex, 1, Paradigm::kOpenMp).leave(6);
    trace_.on(0, 1).enter(10, kWait).release(10, kMutex, 0, Paradigm::kOpenMp);
    pass(1, 65, of, 0);
    trace_.on(0, 1).acquire(65, kMutex, 3, Paradigm::kOpenMp).leave(66);
    trace_.on(0, 1).release(70, kMutex, 0, Paradigm::kOpenMp);
  }

  SyntheticTrace trace_{1, 3};
};

TEST_F(WaitForSignal, ThenForTheMutex) {
  signal_with_mutex(kCondition);
  AnalysisOf found(trace_);
  EXPECT_EQ(found.value(kPthreadSignalWait, kWait, 0, 1), 30);
  EXPECT_EQ(found.value(kPthreadLockContentionCondition, kWait, 0, 1), 20);
  EXPECT_EQ(found.total(kPthreadSignalWait), 30);
}

TEST_F(WaitForSignal, WhoseTimeIsUpWaitsForNobody) {
  signal_with_mutex(kNothing);
  AnalysisOf found(trace_);
  EXPECT_EQ(found.total(kPthreadSignalWait), 0);
  EXPECT_EQ(found.total(kPthreadLockContentionCondition), 0);
}

TEST_F(WaitForSignal, IsLockContentionToTheReference) {
  signal_with_mutex(kCondition);
  AnalysisOf found(trace_, Compatibility::reference());
  EXPECT_EQ(found.total(kPthreadSignalWait), 0);
  EXPECT_EQ(found.value(kPthreadLockContentionCondition, kWait, 0, 1), 50);
}

TEST_F(WaitForSignal, OrForAPost) {
  gives("sem_post", 3, kCondition, 1);
  gives("sem_post", 40, kCondition, 2);
  for (const std::uint32_t thread : {1u, 2u}) {
    trace_.on(0, thread).enter(thread * 10, "sem_wait");
    pass(thread, thread * 25, kCondition, 0);
    trace_.on(0, thread).leave(thread * 25 + 1);
  }
  AnalysisOf found(trace_);
  EXPECT_EQ(found.value(kPthreadSemaphoreWait, "sem_wait", 0, 1), 0);  // posted before
  EXPECT_EQ(found.value(kPthreadSemaphoreWait, "sem_wait", 0, 2), 20);
}

// The time between them is no wait.
TEST_F(WaitForSignal, InSeveralCallsOneAfterTheOther) {
  waits_unsuccessfully("sem_timedwait", 10, 30, kCondition);
  waits_unsuccessfully("sem_timedwait", 31, 51, kCondition);
  waits_for_post(52, kCondition);
  AnalysisOf found(trace_);
  EXPECT_EQ(found.value(kPthreadSemaphoreWait, "sem_timedwait", 0, 1), 20 + 20 + 8);
  EXPECT_EQ(found.total(kDelayThreadSignalAll), 48);
}

TEST_F(WaitForSignal, UntilThePostThatTheNextCallFinds) {
  waits_unsuccessfully("sem_timedwait", 10, 61, kCondition);
  waits_for_post(62, kCondition);
  EXPECT_EQ(AnalysisOf(trace_).total(kPthreadSemaphoreWait), 50);
}

TEST_F(WaitForSignal, NotBeforeTheThreadWorks) {
  waits_unsuccessfully("sem_timedwait", 10, 30, kCondition);
  waits_for_post(33, kCondition);
  EXPECT_EQ(AnalysisOf(trace_).total(kPthreadSemaphoreWait), 27);
}

TEST_F(WaitForSignal, NotForAnotherSemaphore) {
  waits_unsuccessfully("sem_timedwait", 10, 30, kCondition);
  waits_unsuccessfully("sem_timedwait", 30, 50, kMutex);
  waits_for_post(51, kCondition);
  EXPECT_EQ(AnalysisOf(trace_).total(kPthreadSemaphoreWait), 9);
}

TEST_F(WaitForSignal, NotIfNoneSucceeds) {
  gives("sem_post", 20, kCondition, 1);
  waits_unsuccessfully("sem_timedwait", 10, 30, kCondition);
  EXPECT_EQ(AnalysisOf(trace_).total(kPthreadSemaphoreWait), 0);
}

TEST_F(WaitForSignal, TimedIsNoneToTheReference) {
  waits_unsuccessfully("sem_timedwait", 10, 30, kCondition);
  waits_for_post(31, kCondition);
  EXPECT_EQ(AnalysisOf(trace_, Compatibility::reference()).total(kPthreadSemaphoreWait), 0);
}

// Two rounds: 10, 20 and 30; 45, 40 and 35.
TEST_F(WaitForSignal, OrForTheLastAtABarrier) {
  for (const std::uint32_t thread : {0u, 1u, 2u})
    for (const Ticks enter : {10 + 10 * static_cast<Ticks>(thread), 45 - 5 * static_cast<Ticks>(thread)}) {
      trace_.on(0, thread).enter(enter, kBarrier);
      pass(thread, enter <= 30 ? 31 : 46, kCondition, 0);
      trace_.on(0, thread).leave(enter <= 30 ? 32 : 47);
    }
  AnalysisOf found(trace_);
  EXPECT_EQ(found.value(kPthreadBarrierWait, kBarrier, 0, 0), 20);
  EXPECT_EQ(found.value(kPthreadBarrierWait, kBarrier, 0, 1), 10 + 5);
  EXPECT_EQ(found.value(kPthreadBarrierWait, kBarrier, 0, 2), 10);
}

}  // namespace
}  // namespace tarry

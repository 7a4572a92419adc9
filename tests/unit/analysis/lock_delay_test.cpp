// lock_delay_test.cpp -- root causes of waits for locks between threads, and the critical path through them.
#include <gtest/gtest.h>

#include <sstream>

#include "analysis_of.hpp"

namespace tarry {
namespace {

using enum Metric;

constexpr const char* kParallel = "!$omp parallel @x.c:1";
constexpr const char* kCritical = "!$omp critical @x.c:2";
constexpr const char* kBarrier = "!$omp implicit barrier @x.c:3";
const std::string kTeam = std::string("main/") + kParallel + "/";
const std::string kWork = kTeam + "f";
const std::string kHeld = kTeam + kCritical + "/c";

// A team from 10 on; all that its threads do is work in f, hold one lock, and wait for one another at the end.
class Team {
 public:
  Team(SyntheticTrace& trace, std::uint32_t size) : trace_(trace), size_(size) {
    trace.on(0).enter(0, "main").fork(10, size);
    for (std::uint32_t t = 0; t < size; ++t) trace.on(0, t).team_begin(10).enter(10, kParallel);
  }

  void work(std::uint32_t thread, Ticks from, Ticks to) { trace_.on(0, thread).visit(from, to, "f"); }

  void critical(std::uint32_t thread, Ticks enter, Ticks acquire, Ticks release) {
    SyntheticStream& events = trace_.on(0, thread);
    events.enter(enter, kCritical).acquire(acquire, 7, ++order_);
    events.visit(acquire, release, "c").release(release, 7, order_).leave(release);
  }

  void end(std::vector<Ticks> barriers, Ticks end) {
    for (std::uint32_t t = 0; t < size_; ++t)
      trace_.on(0, t).visit(barriers[t], end, kBarrier).leave(end).team_end(end);
    trace_.on(0).join(end).leave(end + 10);
  }

 private:
  SyntheticTrace& trace_;
  const std::uint32_t size_;
  std::uint64_t order_ = 0;
};

double lock_waits(const AnalysisOf& found) {
  double sum = 0;
  for (const Metric wait : {kOmpLockContentionCritical, kOmpLockContentionApi, kPthreadLockContentionMutex,
                            kPthreadLockContentionCondition, kPthreadLockContentionRwlock})
    sum += found.total(wait);
  return sum;
}

// Costs are the waits; the path is one piece after the other, and as long as the run.
void expect_invariants(const AnalysisOf& found, double end) {
  EXPECT_DOUBLE_EQ(found.total(kDelayThreadLockAll), lock_waits(found));
  EXPECT_DOUBLE_EQ(found.total(kDelayThreadLock) + found.total(kDelayThreadLockLongTerm), lock_waits(found));
  EXPECT_DOUBLE_EQ(found.total(kDelayThreadBarrierAll), found.total(kOmpImplicitBarrierWait));
  EXPECT_DOUBLE_EQ(found.total(kCriticalPath), end);
  std::istringstream lines(found.result().critical_path);
  std::string line;
  std::getline(lines, line);
  double at = 0;
  while (std::getline(lines, line)) {
    EXPECT_EQ(std::stod(line), at) << line;
    at = std::stod(line.substr(line.find(',') + 1));
  }
  EXPECT_EQ(at, end);
}

//   thread 0   f 10 [ c 40           ]R= barrier 10 =
//   thread 1   f 20   ==== waits 30 ==|[ c 10       ]
void add_critical(SyntheticTrace& trace) {
  Team team(trace, 2);
  team.work(0, 10, 20);
  team.work(1, 10, 30);
  team.critical(0, 20, 20, 60);
  team.critical(1, 30, 60, 70);
  team.end({60, 70}, 70);
}

TEST(LockDelay, WhatTheHolderDidMoreSinceTheForkIsToBlame) {
  SyntheticTrace trace(1, 2);
  add_critical(trace);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kOmpLockContentionCritical), 30);
  EXPECT_EQ(found.value(kDelayThreadLock, kHeld, 0), 30);
  EXPECT_EQ(found.total(kDelayThreadLock), 30);
  expect_invariants(found, 80);
}

// Thread 1 comes last to the barrier since it did 10 more of f, and since it waited 30 for the lock.
TEST(LockDelay, AWaitThatFollowsPassesItsCostsOn) {
  SyntheticTrace trace(1, 2);
  add_critical(trace);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kOmpImplicitBarrierWait), 10);
  EXPECT_DOUBLE_EQ(found.value(kDelayThreadBarrier, kWork, 0, 1), 10 * 10.0 / 40);
  EXPECT_DOUBLE_EQ(found.value(kDelayThreadBarrierLongTerm, kHeld, 0, 0), 10 * 30.0 / 40);
}

TEST(LockDelay, ThePathGoesOnAtWhoHeldTheLock) {
  SyntheticTrace trace(1, 2);
  add_critical(trace);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kCriticalPath, "main", 0), 10 + 10);
  EXPECT_EQ(found.value(kCriticalPath, kWork, 0, 0), 10);
  EXPECT_EQ(found.value(kCriticalPath, kHeld, 0, 0), 40);
  EXPECT_EQ(found.value(kCriticalPath, kHeld, 0, 1), 10);
  EXPECT_EQ(found.value(kCriticalPath, kWork, 0, 1), 0);
  // What both did: 10 in f, 10 in c. The path holds 50 of c, the average thread 25.
  EXPECT_EQ(found.value(kCriticalPathImbalance, kHeld, 0, 0) + found.value(kCriticalPathImbalance, kHeld, 0, 1), 25);
  EXPECT_DOUBLE_EQ(found.total(kPerformanceImpact), 2 * 80);
}

TEST(LockDelay, CompatKnowsNone) {
  SyntheticTrace trace(1, 2);
  add_critical(trace);
  AnalysisOf found(trace, {.compatibility = Compatibility::reference()});
  EXPECT_EQ(found.total(kOmpLockContentionCritical), 30);
  EXPECT_EQ(found.total(kDelayThreadLockAll), 0);
  EXPECT_EQ(found.value(kCriticalPath, kHeld, 0, 0), 0);
}

//   thread 0   [ c 30  ]R
//   thread 1   f==25 ===|[ c 20 ]R
//   thread 2   f ====== 40 ======|[ c 10 ]
TEST(LockDelay, TravelsAlongAChain) {
  SyntheticTrace trace(1, 3);
  Team team(trace, 3);
  team.critical(0, 10, 10, 40);
  team.work(1, 10, 15);
  team.critical(1, 15, 40, 60);
  team.work(2, 10, 20);
  team.critical(2, 20, 60, 70);
  team.end({40, 60, 70}, 70);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kOmpLockContentionCritical, kTeam + kCritical, 0, 1), 25);
  EXPECT_EQ(found.value(kOmpLockContentionCritical, kTeam + kCritical, 0, 2), 40);
  // Thread 1 did 20 more of c than thread 2, and waited 25.
  EXPECT_DOUBLE_EQ(found.value(kDelayThreadLock, kHeld, 0, 0), 25);
  EXPECT_DOUBLE_EQ(found.value(kDelayThreadLock, kHeld, 0, 1), 40 * 20.0 / 45);
  EXPECT_DOUBLE_EQ(found.value(kDelayThreadLockLongTerm, kHeld, 0, 0), 40 * 25.0 / 45);
  expect_invariants(found, 80);
  EXPECT_EQ(found.value(kCriticalPath, kHeld, 0, 0), 30);
  EXPECT_EQ(found.value(kCriticalPath, kHeld, 0, 1), 20);
  EXPECT_EQ(found.value(kCriticalPath, kHeld, 0, 2), 10);
}

// The lock goes from thread 0 to 1 and back. What thread 0 did before thread 1 got it plays no part in the second wait.
TEST(LockDelay, ThreadsHaveMetWhereALockWasHandedOver) {
  SyntheticTrace trace(1, 2);
  Team team(trace, 2);
  team.critical(0, 10, 10, 40);
  team.work(1, 10, 20);
  team.critical(1, 20, 40, 65);
  team.work(0, 40, 50);
  team.critical(0, 50, 65, 70);
  team.end({70, 65}, 70);
  AnalysisOf found(trace);
  EXPECT_EQ(found.value(kOmpLockContentionCritical, kTeam + kCritical, 0, 0), 15);
  EXPECT_EQ(found.value(kDelayThreadLock, kHeld, 0, 0), 20);
  EXPECT_EQ(found.value(kDelayThreadLock, kHeld, 0, 1), 15);
  EXPECT_EQ(found.total(kDelayThreadLockLongTerm), 0);
  expect_invariants(found, 80);
}

void define_mutexes(SyntheticTrace& trace) {
  for (const char* name : {"pthread_create", "pthread_mutex_lock", "pthread_mutex_unlock", "pthread_cond_timedwait"})
    trace.define_region(name, Paradigm::kPthread, RegionRole::kFunction);
}

void lock(SyntheticStream& events, Ticks enter, Ticks acquire, std::uint64_t order) {
  events.enter(enter, "pthread_mutex_lock").acquire(acquire, 7, order, Paradigm::kOpenMp).leave(acquire);
}

void unlock(SyntheticStream& events, Ticks time) {
  events.enter(time, "pthread_mutex_unlock").release(time, 7, 0, Paradigm::kOpenMp).leave(time + 1);
}

//   main      [ create ] f 14 ==== waits 20 ===|.[ f ]
//   worker       [ worker 2 ][ c 30            ]R
TEST(LockDelay, APathThroughAThreadGoesBackToItsCreation) {
  SyntheticTrace trace(1, 2);
  define_mutexes(trace);
  SyntheticStream& master = trace.on(0);
  master.enter(0, "main")
      .enter(5, "pthread_create")
      .add(5, record::ThreadCreate{.contingent = TeamId(0), .sequence = 1})
      .leave(6);
  master.visit(6, 20, "f");
  lock(master, 20, 42, 2);
  master.visit(42, 50, "f");
  unlock(master, 50);
  master.leave(60);
  SyntheticStream& worker = trace.on(0, 1);
  worker.add(8, record::ThreadBegin{.contingent = TeamId(0), .sequence = 1}).enter(8, "worker");
  lock(worker, 10, 10, 1);
  worker.visit(10, 40, "c");
  unlock(worker, 40);
  worker.leave(45);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kPthreadLockContentionMutex), 20);
  EXPECT_DOUBLE_EQ(found.value(kDelayThreadLock, "worker/c", 0, 1), 20 * 30.0 / 32);
  EXPECT_DOUBLE_EQ(found.value(kDelayThreadLock, "worker", 0, 1), 20 * 2.0 / 32);
  expect_invariants(found, 60);
  EXPECT_EQ(found.value(kCriticalPath, "main/pthread_create", 0, 0), 3);
  EXPECT_EQ(found.value(kCriticalPath, "worker", 0, 1), 2);
  EXPECT_EQ(found.value(kCriticalPath, "worker/c", 0, 1), 30);
  EXPECT_EQ(found.value(kCriticalPath, "main/pthread_mutex_lock", 0, 0), 2);
  EXPECT_EQ(found.value(kCriticalPath, "main/f", 0, 0), 8);
}

// Thread 1 begins late and does less of everything: the hand-over itself is charged.
TEST(LockDelay, WithoutADelayTheCostStaysWithTheRelease) {
  SyntheticTrace trace(1, 2);
  define_mutexes(trace);
  trace.on(0).visit(0, 55, "f");
  lock(trace.on(0), 55, 61, 2);
  lock(trace.on(0, 1), 48, 48, 1);
  trace.on(0, 1).visit(48, 58, "f");
  unlock(trace.on(0, 1), 58);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kPthreadLockContentionMutex), 3);
  EXPECT_EQ(found.value(kDelayThreadLock, "pthread_mutex_unlock", 0, 1), 3);
  EXPECT_EQ(found.total(kDelayThreadLockAll), 3);
}

// Nobody else had the mutex meanwhile: the thread itself let it go last.
TEST(LockDelay, AThreadThatWaitsForItselfIsToBlameItself) {
  SyntheticTrace trace(1, 2);
  define_mutexes(trace);
  SyntheticStream& master = trace.on(0);
  master.enter(0, "main");
  lock(master, 5, 5, 1);
  master.enter(10, "pthread_cond_timedwait").release(12, 7, 0, Paradigm::kOpenMp);
  master.acquire(30, 7, 2, Paradigm::kOpenMp).leave(30).leave(40);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kPthreadLockContentionCondition), 2);
  EXPECT_EQ(found.value(kDelayThreadLock, "main/pthread_cond_timedwait", 0), 2);
  expect_invariants(found, 40);
}

//   writer     [ writes 40           ]R
//   reader 1      ==== waits 30 ======|..
//   reader 2         == waits 20 =====|..
TEST(LockDelay, AWriterIsToBlameForAllReaders) {
  SyntheticTrace trace(1, 3);
  for (const char* name : {"pthread_rwlock_rdlock", "pthread_rwlock_wrlock", "pthread_rwlock_unlock"})
    trace.define_region(name, Paradigm::kPthread, RegionRole::kFunction);
  const auto holds = [&trace](std::uint32_t thread, const char* region, Ticks enter, Ticks from, Ticks to,
                              std::uint64_t order) {
    SyntheticStream& events = trace.on(0, thread);
    events.enter(enter, region).acquire(from, 7, order, Paradigm::kOpenMp).leave(from);
    events.visit(from, to, "c").enter(to, "pthread_rwlock_unlock");
    events.release(to, 7, 0, Paradigm::kOpenMp).leave(to);
  };
  holds(0, "pthread_rwlock_wrlock", 0, 0, 40, 1);
  holds(1, "pthread_rwlock_rdlock", 10, 40, 45, 0);
  holds(2, "pthread_rwlock_rdlock", 20, 40, 50, 0);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kPthreadLockContentionRwlock), 50);
  EXPECT_EQ(found.value(kDelayThreadLock, "c", 0, 0), 50);
  EXPECT_EQ(found.total(kDelayThreadLockAll), 50);
}

// The costs of a wait for a lock that is held while a message is late come back to the process that sends it.
TEST(LockDelay, GoesOnToTheProcessThatTheHolderWaitedFor) {
  SyntheticTrace trace(2, 2);
  for (std::uint32_t r = 0; r < 2; ++r) trace.on(r).enter(0, "main").visit(0, 1, "MPI_Init");
  SyntheticStream& master = trace.on(0);
  master.fork(10, 2);
  for (std::uint32_t t = 0; t < 2; ++t) trace.on(0, t).team_begin(10).enter(10, kParallel);
  master.enter(10, kCritical).acquire(10, 7, 1);
  master.enter(10, "MPI_Recv").recv(60, 1).leave(60).release(60, 7, 1).leave(60);
  trace.on(0, 1).visit(10, 20, "f").enter(20, kCritical).acquire(60, 7, 2);
  trace.on(0, 1).release(60, 7, 2).leave(60);
  for (std::uint32_t t = 0; t < 2; ++t) trace.on(0, t).visit(60, 61, kBarrier).leave(61).team_end(61);
  master.join(61).visit(61, 70, "MPI_Finalize").leave(70);
  trace.on(1).visit(1, 60, "c").enter(60, "MPI_Send").send(60, 0).leave(60).visit(60, 70, "MPI_Finalize").leave(70);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kLateSender), 50);
  EXPECT_EQ(found.total(kOmpLockContentionCritical), 40);
  EXPECT_EQ(found.value(kDelayThreadLockLongTerm, "main/c", 1), 40);
  EXPECT_EQ(found.total(kDelayThreadLockAll), 40);
  EXPECT_EQ(found.value(kPropagatingLateSender, kTeam + kCritical + "/MPI_Recv", 0), 40);
}

}  // namespace
}  // namespace tarry

// recorder_lock_test.cpp -- the recorder's lock keeps signals and cancellation away, and refuses where nobody may wait.
#include "measure/core/recorder_lock.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <optional>

#include "measure/core/memory.hpp"

namespace tarry::measure {
namespace {

struct Waiter {
  RecorderLock lock;
  std::atomic<bool> has_begun = false, has_lock = false;
};

void* wait_for_lock(void* argument) {
  auto& waiter = *static_cast<Waiter*>(argument);
  const InHandler patient(InHandler::Locks::kWaitFor);
  waiter.has_begun = true;
  const TryLocked lock(waiter.lock);
  waiter.has_lock = static_cast<bool>(lock);
  return nullptr;
}

// Starts a thread that waits for the lock, which is held here.
pthread_t start_waiter(Waiter& waiter) {
  pthread_t thread;
  EXPECT_EQ(::pthread_create(&thread, nullptr, wait_for_lock, &waiter), 0);
  while (!waiter.has_begun) ::usleep(1000);
  return thread;
}

struct Cancelled {
  std::atomic<bool> is_blocked = false, is_cancelled = false;
};

void* be_cancelled_behind_block(void* argument) {
  auto& self = *static_cast<Cancelled*>(argument);
  ::pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, nullptr);
  {
    const CancelBlock no_cancel;
    self.is_blocked = true;
    while (!self.is_cancelled) continue;
  }
  for (volatile int value = 0;;) value = 1 - value;
}

TEST(CancelBlock, AThreadThatIsCancelledMeanwhileHasThatResult) {
  Cancelled cancelled;
  pthread_t thread;
  void* result = nullptr;
  ASSERT_EQ(::pthread_create(&thread, nullptr, be_cancelled_behind_block, &cancelled), 0);
  while (!cancelled.is_blocked) ::usleep(1000);
  ::pthread_cancel(thread);
  cancelled.is_cancelled = true;
  ASSERT_EQ(::pthread_join(thread, &result), 0);
  EXPECT_EQ(result, PTHREAD_CANCELED);
}

TEST(RecorderLock, CallsOnFilesWaitForIt) {
  Waiter waiter;
  std::optional<Locked> held(std::in_place, waiter.lock);
  const pthread_t thread = start_waiter(waiter);
  ::usleep(5000);
  held.reset();
  ASSERT_EQ(::pthread_join(thread, nullptr), 0);
  EXPECT_TRUE(waiter.has_lock);
}

// A cancelled thread would keep what it holds.
TEST(RecorderLock, IsNoPointOfCancellation) {
  Waiter waiter;
  std::optional<Locked> held(std::in_place, waiter.lock);
  const pthread_t thread = start_waiter(waiter);
  ASSERT_EQ(::pthread_cancel(thread), 0);
  ::usleep(5000);
  held.reset();
  ASSERT_EQ(::pthread_join(thread, nullptr), 0);
  EXPECT_TRUE(waiter.has_lock);
}

TEST(RecorderLock, SamplesAndNestedHandlersDoNotWait) {
  RecorderLock lock;
  std::optional<Locked> held(std::in_place, lock);
  {
    const InHandler patient(InHandler::Locks::kWaitFor), nested(InHandler::Locks::kWaitFor);
    EXPECT_FALSE(TryLocked(lock));
  }
  const InHandler sample;
  EXPECT_FALSE(TryLocked(lock));
  held.reset();
  EXPECT_TRUE(TryLocked(lock));
}

TEST(RecorderLock, IsRefusedWhereNobodyMayWait) {
  RecorderLock lock;
  const Locked held(lock);
  EXPECT_FALSE(TryLocked(lock, TryLocked::kNever));
}

volatile std::sig_atomic_t g_handled = 0;
void count_signal(int) { g_handled = g_handled + 1; }

TEST(RecorderLock, HandlersRunWhenItIsGivenBack) {
  std::signal(SIGUSR1, count_signal);
  RecorderLock lock;
  {
    const Locked held(lock);
    ::raise(SIGUSR1);
    EXPECT_EQ(g_handled, 0);
  }
  EXPECT_EQ(g_handled, 1);
  {
    const TryLocked held(lock);
    ::raise(SIGUSR1);
    EXPECT_EQ(g_handled, 1);
  }
  EXPECT_EQ(g_handled, 2);
  std::signal(SIGUSR1, SIG_DFL);
}

struct Counted {
  RecorderLock lock;
  long count = 0;
};

constexpr int kRounds = 2000;

void* count_up(void* argument) {
  auto& counted = *static_cast<Counted*>(argument);
  for (int i = 0; i < kRounds; ++i) {
    const Locked held(counted.lock);
    ++counted.count;
  }
  return nullptr;
}

TEST(RecorderLock, IsHeldByOneThreadAtATime) {
  Counted counted;
  pthread_t threads[4];
  for (pthread_t& thread : threads) ASSERT_EQ(::pthread_create(&thread, nullptr, count_up, &counted), 0);
  for (const pthread_t thread : threads) ASSERT_EQ(::pthread_join(thread, nullptr), 0);
  EXPECT_EQ(counted.count, 4 * kRounds);
}

TEST(RecorderLock, KeepsErrno) {
  Waiter waiter;
  std::optional<Locked> held(std::in_place, waiter.lock);
  const pthread_t thread = start_waiter(waiter);
  errno = ENOENT;
  held.reset();
  EXPECT_EQ(errno, ENOENT);
  ASSERT_EQ(::pthread_join(thread, nullptr), 0);
}

}  // namespace
}  // namespace tarry::measure

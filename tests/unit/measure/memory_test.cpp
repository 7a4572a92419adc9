// memory_test.cpp -- locks of the recorder in calls that a signal handler may make.
#include "measure/core/memory.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

namespace tarry::measure {
namespace {

struct Waiter {
  std::mutex mutex;
  std::atomic<bool> has_begun = false, has_lock = false;
};

void* wait_for_lock(void* argument) {
  auto& waiter = *static_cast<Waiter*>(argument);
  const InHandler patient(InHandler::Locks::kWaitFor);
  waiter.has_begun = true;
  const HandlerLock lock(waiter.mutex);
  waiter.has_lock = static_cast<bool>(lock);
  return nullptr;
}

TEST(HandlerLock, CallsOnFilesWaitForIt) {
  Waiter waiter;
  waiter.mutex.lock();
  pthread_t thread;
  ASSERT_EQ(::pthread_create(&thread, nullptr, wait_for_lock, &waiter), 0);
  while (!waiter.has_begun) ::usleep(1000);
  ::usleep(5000);
  waiter.mutex.unlock();
  ASSERT_EQ(::pthread_join(thread, nullptr), 0);
  EXPECT_TRUE(waiter.has_lock);
}

// A cancelled thread would keep what it holds.
TEST(HandlerLock, IsNoPointOfCancellation) {
  Waiter waiter;
  waiter.mutex.lock();
  pthread_t thread;
  ASSERT_EQ(::pthread_create(&thread, nullptr, wait_for_lock, &waiter), 0);
  while (!waiter.has_begun) ::usleep(1000);
  ASSERT_EQ(::pthread_cancel(thread), 0);
  ::usleep(5000);
  waiter.mutex.unlock();
  ASSERT_EQ(::pthread_join(thread, nullptr), 0);
  EXPECT_TRUE(waiter.has_lock);
}

TEST(HandlerLock, SamplesAndNestedHandlersDoNotWait) {
  std::mutex mutex;
  mutex.lock();
  {
    const InHandler patient(InHandler::Locks::kWaitFor), nested(InHandler::Locks::kWaitFor);
    EXPECT_FALSE(HandlerLock(mutex));
  }
  const InHandler sample;
  EXPECT_FALSE(HandlerLock(mutex));
  mutex.unlock();
  EXPECT_TRUE(HandlerLock(mutex));
}

TEST(HandlerMemory, IsAlignedAndKeptByDelete) {
  struct alignas(64) Wide {
    char bytes[100];
  };
  ASSERT_TRUE(prepare_handler_memory());
  const InHandler here;
  const std::size_t used = g_handler_used;
  auto* const wide = new Wide;
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(wide) % 64, 0u);
  EXPECT_GE(g_handler_used, used + sizeof(Wide));
  delete wide;
}

}  // namespace
}  // namespace tarry::measure

// processor_watch_test.cpp -- the kernel's accounts of this process, read by the recorder.
#include "measure/core/processor_watch.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>

namespace tarry::measure {
namespace {

bool kernel_tells_delays() { return ::access("/proc/self/schedstat", R_OK) == 0; }

TEST(ProcessorWatch, CountsFromTheBeginning) {
  ProcessorWatch watch;
  watch.begin();
  ThreadDelay delay = watch.begin_thread(true);
  ::usleep(2000);
  watch.end_thread(delay);
  const ProcessorUse use = watch.use();
  EXPECT_GE(use.wall, 0.002);
  EXPECT_GE(use.cpu, 0);
  EXPECT_GE(use.waits, 1u);
  EXPECT_FALSE(use.processors.empty());
  EXPECT_EQ(use.delay.has_value(), kernel_tells_delays());
  EXPECT_LE(use.delay.value_or(0), use.wall);
}

TEST(ProcessorWatch, AThreadCountsOnce) {
  ProcessorWatch watch;
  watch.begin();
  std::thread([&] {
    ThreadDelay delay = watch.begin_thread(false);
    watch.end_thread(delay);
    EXPECT_LT(delay.nanoseconds, 0);
    const auto before = watch.use().delay;
    watch.end_thread(delay);
    EXPECT_EQ(watch.use().delay, before);
  }).join();
}

// Of hundreds of short threads only some are asked; each is done with. How long they wait depends on the machine.
TEST(ProcessorWatch, NotAllShortThreadsAreAsked) {
  if (!kernel_tells_delays()) GTEST_SKIP() << "the kernel tells no delays";
  ProcessorWatch watch;
  watch.begin();
  for (int i = 0; i < 300; ++i)
    std::thread([&] {
      ThreadDelay delay = watch.begin_thread(false);
      watch.end_thread(delay);
      EXPECT_LT(delay.nanoseconds, 0);
    }).join();
  const ProcessorUse use = watch.use();
  ASSERT_TRUE(use.delay.has_value());
  EXPECT_GE(*use.delay, 0);
}

}  // namespace
}  // namespace tarry::measure

// counter_set_test.cpp -- counters of the calling thread, against what the test makes happen.
#include "measure/metrics/counter_set.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <thread>

namespace tarry::measure {
namespace {

constexpr std::size_t kPages = 500;

void touch_pages() {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  void* memory = ::mmap(nullptr, kPages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  ::madvise(memory, kPages * page, MADV_NOHUGEPAGE);
  for (std::size_t i = 0; i < kPages; ++i) static_cast<volatile char*>(memory)[i * page] = 1;
  ::munmap(memory, kPages * page);
}

CounterPlan plan(const std::string& list) {
  CounterPlan plan = plan_counters(list);
  for (std::size_t i = 0; i < plan.counters.size(); ++i) plan.counters[i].definition = CounterId(10 + i);
  return plan;
}

TEST(CounterSet, CountsFaultsAndTimeOfTheThread) {
  const CounterPlan counters = plan("ru_minflt,ru_utime");
  std::string why;
  CounterSet set(counters, why);
  EXPECT_EQ(why, "");
  ASSERT_EQ(set.ids().size(), 2u);
  EXPECT_EQ(set.ids()[0], CounterId(10));
  set.read();
  const std::uint64_t before = set.values()[0];
  std::thread(touch_pages).join();  // is none of ours
  set.read();
  const std::uint64_t others = set.values()[0] - before;
  touch_pages();
  set.read();
  EXPECT_LT(others, kPages / 2);
  EXPECT_GE(set.values()[0] - before - others, kPages);
  EXPECT_LT(set.values()[0] - before - others, kPages + 200);
}

TEST(CounterSet, SoftwareEventsAreReadTogether) {
  const CounterPlan counters = plan("task-clock,page-faults,minor-faults");
  if (!counters.complaints.empty()) GTEST_SKIP() << counters.complaints;
  std::string why;
  CounterSet set(counters, why);
  ASSERT_EQ(set.values().size(), 3u);
  set.read();
  const std::vector<std::uint64_t> before(set.values().begin(), set.values().end());
  touch_pages();
  set.read();
  EXPECT_GT(set.values()[0], before[0]);
  EXPECT_GE(set.values()[1] - before[1], kPages);
  EXPECT_GE(set.values()[2] - before[2], kPages);
  EXPECT_LT(set.values()[1] - before[1], kPages + 200);
}

TEST(CounterSet, WhatCannotBeCountedIsLeftOutAndSaid) {
  const CounterPlan counters = plan("heap_in_use,ru_nvcsw,heap_peak,no-such::EVENT");
  ASSERT_EQ(counters.counters.size(), 1u);
  EXPECT_EQ(counters.counters[0].name, "ru_nvcsw");
  EXPECT_NE(counters.complaints.find("heap_in_use, heap_peak"), std::string::npos);
  EXPECT_NE(counters.complaints.find("no-such::EVENT"), std::string::npos);
}

TEST(CounterSet, LevelsAreNotCountedFromZero) {
  const CounterPlan counters = plan("ru_maxrss");
  std::string why;
  CounterSet set(counters, why);
  set.read();
  EXPECT_TRUE(set.levels()[0]);
  EXPECT_GT(set.values()[0], 100'000u);
}

}  // namespace
}  // namespace tarry::measure

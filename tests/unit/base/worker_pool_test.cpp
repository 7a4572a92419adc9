// worker_pool_test.cpp -- every job runs once, whatever the threads, whether jobs fail or have jobs of their own.
#include "base/processes/worker_pool.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace tarry {
namespace {

TEST(WorkerPool, RunsEveryJobOnceInEveryRound) {
  for (int round = 0; round < 200; ++round)
    for (const unsigned workers : {1u, 2u, 5u, 3u, 16u}) {
      std::vector<std::atomic<int>> runs(static_cast<std::size_t>(round % 10 < 7 ? round % 7 : 37 * round));
      run_parallel(workers, runs.size(), [&](std::size_t i) { ++runs[i]; });
      for (const std::atomic<int>& count : runs) ASSERT_EQ(count, 1);
    }
}

TEST(WorkerPool, JobsMayHaveJobs) {
  std::atomic<int> runs = 0;
  run_parallel(4, 8, [&](std::size_t) { run_parallel(4, 8, [&](std::size_t) { ++runs; }); });
  EXPECT_EQ(runs, 64);
}

TEST(WorkerPool, ServesSeveralThreads) {
  std::atomic<int> runs = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int round = 0; round < 100; ++round) run_parallel(3, 10, [&](std::size_t) { ++runs; });
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(runs, 4 * 100 * 10);
}

TEST(WorkerPool, AFailureReachesTheCallerAndEndsNothing) {
  for (const unsigned workers : {1u, 4u})
    EXPECT_THROW(run_parallel(workers, 100,
                              [](std::size_t i) {
                                if (i == 50) throw std::runtime_error("job");
                              }),
                 std::runtime_error);
  std::atomic<int> runs = 0;
  run_parallel(4, 100, [&](std::size_t) { ++runs; });
  EXPECT_EQ(runs, 100);
}

}  // namespace
}  // namespace tarry

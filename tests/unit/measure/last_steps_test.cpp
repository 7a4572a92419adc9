// last_steps_test.cpp -- who is still in a step when the gates have closed, and who may be.
#include "measure/core/last_steps.hpp"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <deque>
#include <thread>
#include <vector>

#include "measure/core/recorder.hpp"

namespace tarry::measure {
namespace {

struct Worker {
  Thread recording;
  std::thread thread;
  std::atomic<bool> has_begun = false;
  std::atomic<long> steps = 0;  // that have begun or ended
};

class LastSteps : public testing::Test {
 protected:
  template <class Body>
  void start(std::size_t count, Body body) {
    for (std::size_t i = 0; i < count; ++i) {
      Worker& worker = workers_.emplace_back();
      worker.recording.next = first_;
      first_ = &worker.recording;
      worker.thread = std::thread([this, &worker, body] {
        worker.recording.delay.thread = static_cast<pid_t>(::syscall(SYS_gettid));
        worker.has_begun = true;
        body(worker);
      });
    }
    for (const Worker& worker : workers_)
      while (!worker.has_begun) std::this_thread::yield();
  }
  std::size_t end_steps() {
    for (Worker& worker : workers_) worker.recording.gate.close();
    return let_steps_end(first_);
  }
  void TearDown() override {
    is_over_ = true;
    for (Worker& worker : workers_) worker.thread.join();
  }

  std::deque<Worker> workers_;
  Thread* first_ = nullptr;
  std::atomic<bool> is_over_ = false;
};

// More threads than processors, so that many have lost theirs between their look and their step.
TEST_F(LastSteps, NothingIsRecordedAfterwards) {
  start(100, [this](Worker& worker) {
    while (!is_over_) {
      if (!worker.recording.gate.is_open()) continue;
      for (int i = 0; i < 300; ++i) std::atomic_signal_fence(std::memory_order_seq_cst);
      const Hold hold(worker.recording.gate);
      worker.steps += 1;
      for (int i = 0; i < 300; ++i) std::atomic_signal_fence(std::memory_order_seq_cst);
      worker.steps += 1;
    }
  });
  ASSERT_EQ(end_steps(), 0u);
  std::vector<long> steps;
  for (const Worker& worker : workers_) {
    EXPECT_FALSE(worker.recording.is_in_endless_step);
    EXPECT_EQ(worker.steps % 2, 0);
    steps.push_back(worker.steps);
  }
  ::usleep(200'000);
  for (std::size_t i = 0; i < steps.size(); ++i) EXPECT_EQ(workers_[i].steps, steps[i]) << i;
}

TEST_F(LastSteps, AThreadThatSleepsIsNotWaitedFor) {
  start(3, [this](Worker&) {
    while (!is_over_) ::usleep(1000);
  });
  EXPECT_EQ(end_steps(), 0u);
}

TEST_F(LastSteps, AnEndlessStepIsLeftAlone) {
  start(2, [this](Worker& worker) {
    const Guard guard(worker.recording.gate);
    while (!is_over_ && &worker == &workers_.front()) ::usleep(1000);
  });
  EXPECT_EQ(end_steps(), 1u);
  EXPECT_TRUE(workers_.front().recording.is_in_endless_step);
  EXPECT_FALSE(workers_.back().recording.is_in_endless_step);
}

TEST_F(LastSteps, TheCallingThreadIsNotAsked) {
  Thread own;
  own.next = first_;
  first_ = t_thread = &own;
  const Guard guard(own.gate);
  EXPECT_EQ(end_steps(), 0u);
  t_thread = nullptr;
}

}  // namespace
}  // namespace tarry::measure

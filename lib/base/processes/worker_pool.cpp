// worker_pool.cpp -- runs independent jobs on threads that stay for the next ones.
#include "base/processes/worker_pool.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <system_error>

namespace tarry {
namespace {

// The jobs of one call, shared by the threads that take them. Where there are many, neighbours are taken together: they
// often write next to each other, and two threads in one cache line take turns.
class Round {
 public:
  Round(std::size_t threads, std::size_t count, const std::function<void(std::size_t)>& job)
      : count_(count), step_(std::clamp<std::size_t>(count / (threads * kTurns), 1, kMostAtOnce)), job_(job) {}

  void work() {
    try {
      for (std::size_t begin; !failed_ && (begin = next_.fetch_add(step_)) < count_;)
        for (std::size_t i = begin; i < std::min(begin + step_, count_); ++i) job_(i);
    } catch (...) {
      if (!failed_.exchange(true)) failure_ = std::current_exception();
    }
  }

  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  static constexpr std::size_t kTurns = 32;  // of each thread: the last ones decide how long the others wait for it
  static constexpr std::size_t kMostAtOnce = 64;

  const std::size_t count_, step_;
  const std::function<void(std::size_t)>& job_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> failed_{false};
  std::exception_ptr failure_;
};

// The threads beside the caller. Passes of a few milliseconds follow one another: to start threads for each would take
// longer than some of them.
class WorkerPool {
 public:
  ~WorkerPool() {
    announce(0, nullptr);
    for (std::thread& thread : threads_) thread.join();
  }

  // False, with nothing done, if the threads are at work already: jobs may have jobs of their own.
  bool run(std::size_t helpers, Round& round) {
    const std::unique_lock lock(is_busy_, std::try_to_lock);
    if (!lock) return false;
    while (threads_.size() < helpers &&
           add_thread(threads_, [this, k = threads_.size(), seen = turn_.load()] { serve(k, seen); }))
      continue;
    helpers = std::min(helpers, threads_.size());
    working_ = helpers;
    announce(helpers, &round);
    round.work();
    for (std::size_t left; (left = working_) > 0;) working_.wait(left);
    return true;
  }

 private:
  static constexpr int kHelperBits = 24;

  // The number of a round and of the helpers it needs go into one word. So a worker that misses a wake-up does not join
  // a later round twice.
  void announce(std::size_t helpers, Round* round) {
    round_ = round;
    turn_ = (((turn_ >> kHelperBits) + 1) << kHelperBits) | helpers;
    turn_.notify_all();
  }

  void serve(std::size_t number, std::uint64_t seen) {
    for (;;) {
      turn_.wait(seen);
      seen = turn_;
      const std::uint64_t helpers = seen & ((std::uint64_t{1} << kHelperBits) - 1);
      if (helpers == 0) return;
      if (number >= helpers) continue;
      round_->work();
      if (working_.fetch_sub(1) == 1) working_.notify_one();
    }
  }

  std::mutex is_busy_;
  std::vector<std::thread> threads_;
  std::atomic<std::uint64_t> turn_{0};
  std::atomic<std::size_t> working_{0};
  Round* round_ = nullptr;
};

}  // namespace

bool add_thread(std::vector<std::thread>& threads, const std::function<void()>& work) {
  try {
    threads.emplace_back(work);
    return true;
  } catch (const std::system_error& error) {
    if (error.code() != std::errc::resource_unavailable_try_again) throw;
    return false;
  }
}

void run_parallel(unsigned workers, std::size_t count, const std::function<void(std::size_t)>& job) {
  static WorkerPool pool;
  const std::size_t threads = std::clamp<std::size_t>(workers, 1, std::max<std::size_t>(count, 1));
  Round round(threads, count, job);
  if (threads <= 1 || !pool.run(threads - 1, round)) round.work();
  round.rethrow();
}

unsigned available_processors() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
}

}  // namespace tarry

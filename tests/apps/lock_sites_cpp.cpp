// lock_sites_cpp.cpp -- reaches the locks of the recorder in a C++ program: threads, exceptions, streams.
//
// Links lock_site_signals.c, whose handler runs at each lock. Prints "done" and ends with 0.
#include <atomic>
#include <csetjmp>
#include <cstdio>
#include <fstream>
#include <future>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

extern "C" {
extern __thread sigjmp_buf* lock_sites_back;
extern std::atomic<int> lock_sites_is_recorded;
extern __thread int lock_sites_thread_ends;
}

namespace {

constexpr int kRounds = 14, kVariants = 40;
std::atomic<unsigned> sum;
std::mutex mutex;

template <int variant>
__attribute__((noinline)) void seen_first_in_round() {
  sum += variant;
}

template <int... variants>
void call_one(int wanted, std::integer_sequence<int, variants...>) {
  ((wanted == variants ? seen_first_in_round<variants>() : void()), ...);
}

void call_variant(int wanted) { call_one(wanted % kVariants, std::make_integer_sequence<int, kVariants>()); }

struct Noted {
  explicit Noted(int by) : by_(by) { sum += by_; }
  ~Noted() { sum -= by_; }
  int by_;
};

__attribute__((noinline)) void throw_through(int depth) {
  const Noted noted(depth);
  if (depth == 0) throw std::runtime_error("expected");
  throw_through(depth - 1);
}

void catch_exception() {
  try {
    throw_through(5);
  } catch (const std::exception& thrown) {
    sum += std::string(thrown.what()).size();
  }
}

void use_threads(int round) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i)
    threads.emplace_back([round] {
      const std::lock_guard held(mutex);
      call_variant(2 * round);
      lock_sites_thread_ends = 1;
    });
  for (std::thread& one : threads) one.join();
  sum += std::async(std::launch::async, [] { return lock_sites_thread_ends = 1, 1u; }).get();
}

void use_streams(int round) {
  const std::string name = "stream_" + std::to_string(round) + ".txt";
  std::ofstream(name) << "round " << round << '\n';
  std::string line;
  std::getline(std::ifstream(name), line);
  if (line != "round " + std::to_string(round)) std::abort();
}

// May be left by a jump: it has nothing to destroy.
void see_functions(int round) {
  sigjmp_buf back;
  if (sigsetjmp(back, 1) == 0) {
    lock_sites_back = &back;
    call_variant(2 * round + 1);
    for (int i = 0; i < 40000; ++i) seen_first_in_round<0>();
  }
  lock_sites_back = nullptr;
}

}  // namespace

int main() {
  lock_sites_is_recorded = 1;
  for (int round = 0; round < kRounds; ++round) {
    see_functions(round);
    catch_exception();
    use_threads(round);
    use_streams(round);
  }
  lock_sites_is_recorded = 0;
  std::puts("done");
}

// thread_sanitizer_cxx.cpp -- threads of C++ that share data properly, throw, and write files. Prints "sum 4000".
#include <cstdio>
#include <fstream>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

std::mutex mutex;
long sum = 0;

__attribute__((noinline)) void add(int step) {
  const std::lock_guard held(mutex);
  ++sum;
  if (step % 100 == 0) throw std::runtime_error("expected");
}

void run(int number) {
  for (int step = 0; step < 1000; ++step) {
    try {
      add(step);
    } catch (const std::runtime_error&) {
      std::ofstream("thread_" + std::to_string(number) + ".txt") << step << '\n';
    }
  }
}

}  // namespace

int main() {
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; ++number) threads.emplace_back(run, number);
  for (std::thread& one : threads) one.join();
  std::printf("sum %ld\n", sum);
}

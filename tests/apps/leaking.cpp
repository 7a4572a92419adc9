// leaking.cpp -- two threads that compute for a while; with an argument 12,345 bytes are lost. Prints "ended".
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <thread>

static volatile unsigned long g_sink = 1;

static void compute() {
  timespec now;
  do {
    for (int i = 0; i < 10000; ++i) g_sink = g_sink * 31 + 1;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  } while (now.tv_nsec < 50'000'000 && now.tv_sec == 0);
}

static void* volatile g_memory = nullptr;
static void lose() {
  g_memory = std::malloc(12345);
  g_memory = nullptr;
}

int main(int argc, char**) {
  if (argc > 1) lose();
  std::thread first(compute), second(compute);
  first.join();
  second.join();
  std::puts("ended");
}

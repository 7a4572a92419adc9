// escapes.cpp -- ways out of regions that nobody announces, and processes that are not the one that is recorded.
//
// escapes N [PROGRAM]. N iterations: each calls risky(), which throws out of the user region "inner", so that neither
// that nor the iteration ends by itself. Then a thread ends by pthread_exit() three functions deep, two children of
// fork() run on (one ends by exit, one by a signal), and PROGRAM is run by system(). Afterwards after() is called,
// once.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <pthread.h>
#include <stdexcept>
#include <sys/wait.h>
#include <tarry/user.h>
#include <unistd.h>

static volatile long sink;

__attribute__((noinline)) static void work() { ++sink; }

__attribute__((noinline)) static void risky() {
  TARRY_REGION_BEGIN("inner");
  work();
  if (sink >= 0) throw std::runtime_error("out of here");
  TARRY_REGION_END("inner");
}

__attribute__((noinline)) static void step(int number) {
  TARRY_ITERATION_BEGIN("step", number);
  risky();
  TARRY_ITERATION_END("step");
}

__attribute__((noinline)) static void leave_thread(int depth) {
  work();
  if (depth == 0) pthread_exit(nullptr);
  leave_thread(depth - 1);
  work();  // is not reached; but without it, compilers may make a loop of this
}

__attribute__((noinline)) static void* run(void*) {
  leave_thread(2);
  return nullptr;
}

__attribute__((noinline)) static void child(bool is_killed) {
  const pid_t process = fork();
  if (process == 0) {
    for (int i = 0; i < 100'000; ++i) work();
    if (is_killed) raise(SIGKILL);
    exit(0);
  }
  int status = 0;
  waitpid(process, &status, 0);
}

__attribute__((noinline)) static void after() { work(); }

int main(int argc, char** argv) {
  const int steps = argc > 1 ? std::atoi(argv[1]) : 1;
  for (int i = 0; i < steps; ++i) {
    try {
      step(i);
    } catch (const std::exception&) {
      ++sink;
    }
  }
  pthread_t thread;
  if (pthread_create(&thread, nullptr, run, nullptr) == 0) pthread_join(thread, nullptr);
  child(false);
  child(true);
  if (argc > 2 && std::system(argv[2]) != 0) return 1;
  after();
  std::printf("%ld\n", static_cast<long>(sink));
}

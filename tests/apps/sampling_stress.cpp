// sampling_stress.cpp -- what samples may interrupt: 16 threads that call MPI, fork, load and unload a library, throw,
// jump, and cancel other threads, all at the same time.
//
// usage: sampling_stress PLUGIN ROUNDS [SECONDS]
//
// The plugin is call_paths_plugin.c. Each thread does ROUNDS rounds and then goes on until SECONDS have passed. Rank 0
// prints what the threads have computed in the first ROUNDS rounds, which is always the same.
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <stdexcept>

namespace {

constexpr int kThreads = 16;
const char* g_plugin = nullptr;
long g_rounds = 0, g_seconds = 0;
time_t g_begin = 0;

struct Worker {
  int number = 0;
  MPI_Comm comm = MPI_COMM_NULL;
  std::uint64_t sum = 1;
};

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "sampling_stress: %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 3);
  std::abort();
}

__attribute__((noinline)) std::uint64_t mix(std::uint64_t value, int times) {
  for (int i = 0; i < times; ++i) value = (value ^ value >> 29) * 0x9e3779b97f4a7c15u + 1;
  return value;
}

__attribute__((noinline)) std::uint64_t descend(std::uint64_t value, int depth) {
  if (depth == 0) throw value;
  return mix(descend(mix(value, 20), depth - 1), 1);
}

std::uint64_t throw_from_below(std::uint64_t value) {
  try {
    return descend(value, 12);
  } catch (std::uint64_t thrown) {
    return thrown;
  }
}

[[noreturn]] __attribute__((noinline)) void jump(std::jmp_buf& back, int depth) {
  if (depth > 0) jump(back, depth - 1);
  std::longjmp(back, 1);
}

std::uint64_t jump_from_below(std::uint64_t value) {
  std::jmp_buf back;
  if (setjmp(back) == 0) jump(back, 12);
  return mix(value, 50);
}

// A child of one thread: it may do little, and it must be able to exit.
std::uint64_t fork_child(std::uint64_t value) {
  const pid_t child = fork();
  if (child == 0) _exit(static_cast<int>(mix(value, 100) & 63));
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) fail("a child has not come to its end");
  return value + static_cast<std::uint64_t>(WEXITSTATUS(status));
}

std::uint64_t execute(std::uint64_t value) {
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", "exit 7", nullptr);
    _exit(1);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) fail("a program has not come to its end");
  return value + static_cast<std::uint64_t>(WEXITSTATUS(status));
}

// The others may have it loaded, too: it goes with the last one.
std::uint64_t call_plugin(std::uint64_t value) {
  void* const plugin = dlopen(g_plugin, RTLD_NOW | RTLD_LOCAL);
  if (!plugin) fail(dlerror());
  const auto function = reinterpret_cast<void (*)(void (*)())>(dlsym(plugin, "tarry_test_run"));
  if (!function) fail(dlerror());
  function([] { mix(1, 1000); });
  dlclose(plugin);
  return mix(value, 3);
}

void* spin_until_cancelled(void* value) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, nullptr);
  for (;;) *static_cast<std::uint64_t*>(value) = mix(1, 1000);
}

void* sleep_until_cancelled(void*) {
  for (;;) usleep(100'000);
}

std::uint64_t cancel_thread(std::uint64_t value, bool is_spinning) {
  std::uint64_t scratch = 0;
  pthread_t thread;
  void* result = nullptr;
  if (pthread_create(&thread, nullptr, is_spinning ? spin_until_cancelled : sleep_until_cancelled, &scratch) != 0)
    fail("no thread");
  mix(value, 20'000);
  pthread_cancel(thread);
  if (pthread_join(thread, &result) != 0 || result != PTHREAD_CANCELED) fail("a thread has not been cancelled");
  return mix(value, 5);
}

std::uint64_t exchange(const Worker& worker) {
  std::uint64_t other = 0;
  int rank = 0, size = 1;
  MPI_Comm_rank(worker.comm, &rank);
  MPI_Comm_size(worker.comm, &size);
  MPI_Sendrecv(&worker.sum, 1, MPI_UINT64_T, (rank + 1) % size, worker.number, &other, 1, MPI_UINT64_T,
               (rank + size - 1) % size, worker.number, worker.comm, MPI_STATUS_IGNORE);
  return mix(worker.sum + other, 1);
}

std::uint64_t do_round(const Worker& worker, long round) {
  switch ((round + worker.number) % 40) {
    case 0: return fork_child(worker.sum);
    case 5: return execute(worker.sum);
    case 10: return cancel_thread(worker.sum, true);
    case 15: return cancel_thread(worker.sum, false);
    default: break;
  }
  switch (round % 5) {
    case 0: return exchange(worker);
    case 1: return throw_from_below(worker.sum);
    case 2: return jump_from_below(worker.sum);
    case 3: return call_plugin(worker.sum);
    default: return mix(worker.sum, 100'000);
  }
}

void* work(void* given) {
  Worker& worker = *static_cast<Worker*>(given);
  for (long round = 0; round < g_rounds; ++round) worker.sum = do_round(worker, round);
  Worker further = worker;
  // All processes have to agree on the last round.
  for (int go_on = g_seconds > 0; go_on;) {
    for (long round = 0; round < 200; ++round) further.sum = do_round(further, round);
    go_on = std::time(nullptr) < g_begin + g_seconds;
    MPI_Bcast(&go_on, 1, MPI_INT, 0, further.comm);
  }
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0, rank = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided != MPI_THREAD_MULTIPLE) fail("MPI has no threads");
  if (argc < 3) fail("usage: sampling_stress PLUGIN ROUNDS [SECONDS]");
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  g_plugin = argv[1];
  g_rounds = std::atol(argv[2]);
  g_seconds = argc > 3 ? std::atol(argv[3]) : 0;
  g_begin = std::time(nullptr);
  Worker workers[kThreads];
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; ++i) {
    workers[i].number = i;
    workers[i].sum = static_cast<std::uint64_t>(rank + 1) * 1000 + static_cast<std::uint64_t>(i);
    MPI_Comm_dup(MPI_COMM_WORLD, &workers[i].comm);
  }
  for (int i = 0; i < kThreads; ++i)
    if (pthread_create(&threads[i], nullptr, work, &workers[i]) != 0) fail("no thread");
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
  for (Worker& worker : workers) {
    std::uint64_t all = 0;
    MPI_Allreduce(&worker.sum, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) std::printf("%d %016lx\n", worker.number, static_cast<unsigned long>(all));
    MPI_Comm_free(&worker.comm);
  }
  MPI_Finalize();
  return 0;
}

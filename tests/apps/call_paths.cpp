// call_paths.cpp -- calls MPI_Comm_rank from all kinds of places, and writes to truth.RANK how it got there.
//
// Each line of truth.RANK is the stack at one call, as the C library's unwinder finds it: MODULE:OFFSET of each frame,
// outermost first. Runs on any number of processes; prints nothing.
#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <mpi.h>
#include <ucontext.h>

#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#define KEEP __attribute__((noinline))
#define NO_HOOK __attribute__((noinline, no_instrument_function))
#define NO_TAIL_CALL asm volatile("" ::: "memory")

FILE* g_truth;
std::mutex g_mutex;

NO_HOOK void note() {
  void* addresses[4096];
  const int count = backtrace(addresses, 4096);
  std::string line;
  for (int i = count - 1; i > 0; --i) {
    Dl_info info;
    link_map* module = nullptr;
    if (!dladdr1(addresses[i], &info, reinterpret_cast<void**>(&module), RTLD_DL_LINKMAP)) continue;
    char text[32];
    snprintf(text, sizeof text, ":%zx ", reinterpret_cast<size_t>(addresses[i]) - module->l_addr - 1);
    line += std::string(info.dli_fname) + text;
  }
  const std::lock_guard<std::mutex> lock(g_mutex);
  fprintf(g_truth, "%s\n", line.c_str());
}

// Both are called by the same function.
#define CALL_HERE()                            \
  do {                                         \
    int rank_here;                             \
    note();                                    \
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_here); \
    NO_TAIL_CALL;                              \
  } while (0)

KEEP void leaf() { CALL_HERE(); }
KEEP void one() {
  leaf();
  CALL_HERE();
  leaf();
  NO_TAIL_CALL;
}
KEEP void other() {
  CALL_HERE();
  leaf();
  NO_TAIL_CALL;
}
KEEP void both() {
  one();
  other();
  one();
  NO_TAIL_CALL;
}

KEEP int recurse(int depth) {
  if (depth == 0) return leaf(), 1;
  const int below = recurse(depth - 1);
  if (depth % 7 == 0) CALL_HERE();
  return below + 1;
}

template <class T>
struct Base {
  virtual ~Base() = default;
  virtual void act(T) = 0;
};
template <class T>
struct Derived : Base<T> {
  KEEP void act(T value) override {
    if (value > 0) act(value - 1);
    CALL_HERE();
  }
};

KEEP void thrower(int depth) {
  if (depth == 0) {
    CALL_HERE();
    throw std::runtime_error("expected");
  }
  thrower(depth - 1);
  NO_TAIL_CALL;
}
KEEP void catcher() {
  try {
    thrower(4);
  } catch (const std::exception&) {
    CALL_HERE();
    leaf();
  }
  leaf();
  NO_TAIL_CALL;
}

jmp_buf g_target;
KEEP void jumper(int depth) {
  if (depth == 0) {
    CALL_HERE();
    longjmp(g_target, 1);
  }
  jumper(depth - 1);
  NO_TAIL_CALL;
}
KEEP void jumps() {
  if (!setjmp(g_target)) jumper(3);
  CALL_HERE();
}

KEEP int copy_attribute(MPI_Comm, int, void*, void*, void*, int* flag) {
  leaf();
  *flag = 0;
  return MPI_SUCCESS;
}
KEEP void call_back() {
  int key;
  MPI_Comm copy;
  MPI_Comm_create_keyval(copy_attribute, MPI_COMM_NULL_DELETE_FN, &key, nullptr);
  MPI_Comm_set_attr(MPI_COMM_WORLD, key, nullptr);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  CALL_HERE();
  MPI_Comm_free(&copy);
}

KEEP void handle(int) {
  leaf();
  NO_TAIL_CALL;
}
KEEP void interrupted() {
  raise(SIGUSR1);
  CALL_HERE();
}

ucontext_t g_outside, g_inside;
KEEP void coroutine() {
  leaf();
  swapcontext(&g_inside, &g_outside);
  one();
  NO_TAIL_CALL;
}
KEEP void switch_stacks() {
  static char stack[256 << 10];
  getcontext(&g_inside);
  g_inside.uc_stack.ss_sp = stack;
  g_inside.uc_stack.ss_size = sizeof stack;
  g_inside.uc_link = &g_outside;
  makecontext(&g_inside, coroutine, 0);
  swapcontext(&g_outside, &g_inside);
  leaf();
  swapcontext(&g_outside, &g_inside);
  leaf();
  NO_TAIL_CALL;
}

int (*g_close)(void*) = dlclose;

// Each library has the addresses that the one before it had.
KEEP void load(const char* path) {
  void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    return;
  }
  reinterpret_cast<void (*)(void (*)())>(dlsym(library, "tarry_test_run"))(leaf);
  g_close(library);
}

KEEP void work(int times) {
  for (int i = 0; i < times; ++i) both();
  NO_TAIL_CALL;
}

int main(int argc, char** argv) {
  int provided, rank;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  g_truth = fopen(("truth." + std::to_string(rank)).c_str(), "w");
  signal(SIGUSR1, handle);
  for (int i = 0; i < 3; ++i) both();
  recurse(30);
  recurse(3);
  Derived<int>().act(3);
  Derived<long>().act(2);
  for (int i = 0; i < 2; ++i) catcher();
  jumps();
  call_back();
  interrupted();
  switch_stacks();
  if (argc > 3) g_close = reinterpret_cast<int (*)(void*)>(dlsym(dlopen(argv[3], RTLD_NOW | RTLD_LOCAL), "close_it"));
  for (int i = 2; i < argc + 20 && argc > 2; ++i) load(argv[1 + i % 2]);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(work, 5);
  for (std::thread& thread : threads) thread.join();
#pragma omp parallel num_threads(3)
  both();
  leaf();
  MPI_Finalize();
  fclose(g_truth);
}

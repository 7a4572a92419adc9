// hooked_calls.cpp -- functions that are instrumented, called by a library that is not (hooked_calls_library.cpp).
//
// usage: hooked_calls COUNT   -- each case makes some COUNT calls. The stack has to be walked for the first of them,
// and where the library's functions change: that is, 2 x COUNT times in "in turns". Prints how often `visit` was
// called.
#include <mpi.h>

#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <vector>

extern "C" {
extern std::jmp_buf g_before_call;
void library_loop(int count, void (*call)(int));
void library_sort(int* values, int count, int (*compare)(const void*, const void*));
void library_catch(int count, void (*call)(int));
void library_jump(int count, void (*call)(int));
void library_in_turns(int count, void (*call)(int));
void library_deeper(int depth, int count, void (*call)(int));
void library_end(void);
}

namespace {
long g_visits = 0;
}

extern "C" {

__attribute__((noinline)) void inner(int) { asm volatile(""); }

__attribute__((noinline)) void visit(int i) {
  ++g_visits;
  inner(i);
}

__attribute__((noinline)) void descend(int i) {
  if (i % 4) descend(i - 1);
  asm volatile("");
}

__attribute__((noinline)) int compare(const void* a, const void* b) {
  return *static_cast<const int*>(a) - *static_cast<const int*>(b);
}

__attribute__((noinline)) void throwing(int i) {
  visit(i);
  throw i;
}

__attribute__((noinline)) void jumping(int i) {
  visit(i);
  std::longjmp(g_before_call, 1);
}

__attribute__((noinline)) void behind_end(int count) {
  for (int i = 0; i < count; ++i) {
    library_end();
    visit(i);
  }
}
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int count = std::atoi(argv[1]);
  std::vector<int> values;
  for (int i = 0; i < count; ++i) values.push_back(i * 7919 % 10007);
  library_loop(count, visit);
  library_loop(count, descend);
  library_sort(values.data(), count, compare);
  library_catch(count, throwing);
  library_jump(count, jumping);
  library_deeper(2, count, visit);
  library_in_turns(3, visit);
  behind_end(3);
  std::printf("visits %ld\n", g_visits);
  MPI_Finalize();
}

// inlined_functions.cpp -- functions that the compiler has put in the place of their calls, with MPI in them.
//
// Build: mpicxx -std=c++17 -O2 -g. usage: inlined_functions [SCALE]. Process 1 pauses for 0.1 s, times SCALE, in each
// visit of exchange(), between its two barriers; process 0 waits in the second one. Known paths, with visits of a
// process and what process 0 waits there:
//   main/first/exchange/MPI_Barrier                 2, one pause
//   main/second/step/exchange/MPI_Barrier           4, two pauses in two calls on two lines
//   main/second/MPI_Barrier                         1, nothing
//   main/third/(a lambda)/MPI_Barrier               1, nothing; std::invoke() is around it
// Without inlined functions these are main/first, main/second and main/third. Process 0 prints how much earlier it was
// in the barriers of first() and of second().
#include <mpi.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>

#define INLINED static inline __attribute__((always_inline))
#define CALLED __attribute__((noinline)) void

namespace {

int g_rank = 0, g_visits = 0;
double g_begins[3];  // of the second barriers

// MPI_Wtime() may begin at 0 in each process.
double seconds_of_host() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

INLINED void exchange(double seconds) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (g_rank == 1) usleep(static_cast<useconds_t>(1e6 * seconds));
  g_begins[g_visits++] = seconds_of_host();
  MPI_Barrier(MPI_COMM_WORLD);
}

INLINED void step(double seconds) {
  exchange(seconds);
  exchange(seconds);
}

CALLED first(double seconds) {
  exchange(seconds);
  __asm__ volatile("");
}

CALLED second(double seconds) {
  step(seconds);
  MPI_Barrier(MPI_COMM_WORLD);
  __asm__ volatile("");
}

CALLED third() {
  std::invoke(
      [](MPI_Comm comm) __attribute__((always_inline)) { MPI_Barrier(comm); }, MPI_COMM_WORLD);
  __asm__ volatile("");
}

}  // namespace

int main(int count, char** words) {
  MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &g_rank);
  MPI_Barrier(MPI_COMM_WORLD);  // from here on they are together
  const double seconds = 0.1 * (count > 1 ? std::atof(words[1]) : 1);
  first(seconds);
  second(seconds);
  third();
  double other[3];
  if (g_rank == 1) MPI_Send(g_begins, 3, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
  else MPI_Recv(other, 3, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; g_rank == 0 && i < 3; ++i) other[i] -= g_begins[i];
  if (g_rank == 0) std::printf("%.6f %.6f\n", other[0], other[1] + other[2]);
  MPI_Finalize();
  return 0;
}

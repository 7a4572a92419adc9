/* heat.c -- an MPI program in C with functions, user regions, iterations, longjmp and a signal handler.
 *
 * usage: heat STEPS. Call tree of each rank: main calls read_input and solve; solve calls step once per iteration, step
 * calls flux 10 times; in each third iteration give_up jumps out of two levels.
 */
#include <mpi.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <tarry/user.h>

static jmp_buf escape;

__attribute__((noinline)) static double flux(double a, double b) { return 0.5 * (a - b); }

__attribute__((noinline)) static void give_up(int levels) {
  TARRY_REGION_BEGIN("giving up");
  if (levels == 0) longjmp(escape, 1);
  give_up(levels - 1);
  TARRY_REGION_END("giving up");
}

__attribute__((noinline)) static double step(double heat) {
  for (int i = 0; i < 10; ++i) heat -= flux(heat, i);
  return heat;
}

__attribute__((noinline)) static double solve(int steps) {
  volatile double heat = 100;
  for (volatile int i = 0; i < steps; ++i) {
    TARRY_ITERATION_BEGIN("iteration", i);
    heat = step(heat);
    if (i % 3 == 0 && setjmp(escape) == 0) give_up(2);
    MPI_Barrier(MPI_COMM_WORLD);
    TARRY_ITERATION_END("iteration");
  }
  return heat;
}

__attribute__((noinline)) static int read_input(char** arguments) { return atoi(arguments[1]); }

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const int steps = read_input(argv); /* before there is a rank */
  MPI_Init(&argc, &argv);
  const double heat = solve(steps);
  MPI_Finalize();
  printf("%g\n", heat);
  return 0;
}

/* counted.c -- a program with metrics of its own, of all types and kinds, in two functions and two threads.
 *
 * It prints "METRIC PATH VALUE" for what a report holds: the sum or the highest value of each metric and function.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <signal.h>
#include <tarry/user.h>

static void assemble(int pass) {
  TARRY_REGION_BEGIN("assemble");
  TARRY_METRIC_INT64("updates", "", 10 + pass);
  TARRY_METRIC_DOUBLE("flops", "flop", 0.5 * pass);
  TARRY_METRIC_LEVEL_DOUBLE("residual", "", -1.0 / (pass + 1));
  TARRY_REGION_END("assemble");
}

static void solve(int pass) {
  TARRY_REGION_BEGIN("solve");
  TARRY_METRIC_INT64("updates", "", -1);
  TARRY_METRIC_UINT64("bytes", "bytes", 1ull << 40);
  TARRY_METRIC_LEVEL_INT64("depth", "", pass % 3 - 5);
  TARRY_METRIC_LEVEL_UINT64("queue", "", (unsigned)pass);
  TARRY_REGION_END("solve");
}

static void* run(void* unused) {
  for (int pass = 0; pass < 10; ++pass) {
    assemble(pass);
    solve(pass);
  }
  return unused;
}

int main(int argc, char** argv) {
  (void)argv;
  pthread_t other;
  pthread_create(&other, 0, run, 0);
  run(0);
  pthread_join(other, 0);
  printf("updates assemble 290\nupdates solve -20\nflops assemble 45\nresidual assemble -0.1\n");
  printf("bytes solve 21990232555520\ndepth solve -3\nqueue solve 9\n");
  fflush(stdout);
  if (argc > 1) raise(SIGKILL);
  return 0;
}

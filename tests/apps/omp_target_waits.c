/* omp_target_waits.c -- target constructs whose waits are known: each case prints what it has measured, in seconds.

   usage: omp_target_waits CASE
     slow      the host has nothing to do while a long kernel runs
     late      the host computes before it launches the next kernel
     copies    a copy before and behind each kernel
     teams     kernels with teams of threads, beside the host's own team
     nowait    kernels that the host waits for later
     devices   two devices, of which one has three times as much to do
     running   the program exits while another thread is in a kernel */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double in_kernels, before_launches, in_copies, on_device[2];

#pragma omp declare target
/* Not optimised away, and the same on the host and on a device. */
static double spin(long rounds) {
  volatile double value = 1;
  for (long i = 0; i < rounds; ++i) value = value * 0.999 + 1;
  return value;
}
#pragma omp end declare target

static void compute(double duration) {
  const double end = omp_get_wtime() + duration;
  while (omp_get_wtime() < end) {}
}

/* How many rounds take so long. The first kernel of a device makes it ready. */
static long rounds_for(double duration) {
  const long rounds = 1000000;
  double value = 0, took = 0;
  for (int i = 0; i < 2; ++i) {
    const double begin = omp_get_wtime();
#pragma omp target map(from : value)
    value = spin(rounds);
    took = omp_get_wtime() - begin;
  }
  return (long)(rounds * duration / took);
}

static void slow(void) {
  const long rounds = rounds_for(0.05);
  double value = 0;
  for (int i = 0; i < 5; ++i) {
    const double begin = omp_get_wtime();
#pragma omp target map(from : value)
    value = spin(rounds);
    in_kernels += omp_get_wtime() - begin;
  }
}

static void late(void) {
  const long rounds = rounds_for(0.01);
  double value = 0;
  for (int i = 0; i < 5; ++i) {
#pragma omp target map(from : value)
    value = spin(rounds);
    const double ended = omp_get_wtime();
    compute(0.03);
    if (i < 4) before_launches += omp_get_wtime() - ended;
  }
}

static void copies(void) {
  enum { BYTES = 32 << 20 };
  char* host = malloc(BYTES);
  memset(host, 1, BYTES);
  const long rounds = rounds_for(0.01);
#pragma omp target enter data map(alloc : host[0 : BYTES])
  for (int i = 0; i < 5; ++i) {
    double begin = omp_get_wtime();
#pragma omp target update to(host[0 : BYTES])
    in_copies += omp_get_wtime() - begin;
#pragma omp target
    host[i] = (char)spin(rounds);
    begin = omp_get_wtime();
#pragma omp target update from(host[0 : BYTES])
    in_copies += omp_get_wtime() - begin;
  }
#pragma omp target exit data map(delete : host[0 : BYTES])
  free(host);
}

static void teams(void) {
  const long rounds = rounds_for(0.02);
  double sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
  sum += spin(rounds);
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(2) map(tofrom : sum) reduction(+ : sum)
  for (int i = 0; i < 8; ++i) sum += spin(rounds / 8);
#pragma omp parallel num_threads(2) reduction(+ : sum)
  sum += spin(rounds);
  printf("teams %d\n", sum > 0);
}

static void nowait(void) {
  const long rounds = rounds_for(0.02);
  double values[3] = {0};
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    for (int i = 0; i < 3; ++i) {
#pragma omp target nowait map(from : values[i : 1])
      values[i] = spin(rounds);
    }
#pragma omp taskwait
  }
  printf("nowait %d\n", values[0] > 0 && values[1] > 0 && values[2] > 0);
}

static void devices(void) {
  const long rounds = rounds_for(0.01);
  double value = 0;
  for (int i = 0; i < 8; ++i) {
    const double begin = omp_get_wtime();
#pragma omp target device(i % 4 == 3) map(from : value)
    value = spin(rounds);
    on_device[i % 4 == 3] += omp_get_wtime() - begin;
  }
}

static void* run_long(void* nothing) {
  double value = 0;
#pragma omp target map(from : value)
  value = spin(1000000000);
  return nothing;
}

static void running(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, run_long, NULL);
  compute(0.05);
  exit(0);
}

int main(int argc, char** argv) {
  const char* which = argc > 1 ? argv[1] : "";
  if (omp_get_num_devices() < 2) return 77;
  if (!strcmp(which, "slow")) slow();
  else if (!strcmp(which, "late")) late();
  else if (!strcmp(which, "copies")) copies();
  else if (!strcmp(which, "teams")) teams();
  else if (!strcmp(which, "nowait")) nowait();
  else if (!strcmp(which, "devices")) devices();
  else if (!strcmp(which, "running")) running();
  else return 2;
  fprintf(stderr, "kernels %.6f launches %.6f copies %.6f device0 %.6f device1 %.6f\n", in_kernels, before_launches,
          in_copies, on_device[0], on_device[1]);
  puts("done");
  return 0;
}

// many_teams.c -- a program of OpenMP without MPI: 200 teams, in each of which every thread works once. With an argument
// it is killed behind that many.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static double work(int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += i * 0.5;
  return sum;
}

int main(int argc, char** argv) {
  const int last = argc > 1 ? atoi(argv[1]) : 200;
  double sum = 0;
  for (int team = 0; team < last; ++team) {
#pragma omp parallel reduction(+ : sum)
    sum += work(2000);
  }
  if (argc > 1) raise(SIGKILL);
  printf("%g\n", sum);
  return 0;
}

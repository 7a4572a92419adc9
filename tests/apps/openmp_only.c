/* openmp_only.c -- a program with one parallel region of two threads, for runtimes that tell nothing of it. */
#include <stdio.h>

int main(void) {
  int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
  sum += 1;
  printf("%d\n", sum);
  return 0;
}

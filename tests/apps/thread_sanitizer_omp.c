/* thread_sanitizer_omp.c -- teams that share data properly: ThreadSanitizer finds nothing, with the help of LLVM's tool
 * Archer, which tells it of barriers and locks. Prints "sum 14842". */
#include <stdio.h>

int main(void) {
  int sum = 0, cells[100] = {0};
  for (int round = 0; round < 2; ++round) {
#pragma omp parallel for reduction(+ : sum) num_threads(4)
    for (int i = 0; i < 100; ++i) {
      cells[i] += i;
      sum += cells[i];
    }
#pragma omp parallel num_threads(4)
    {
#pragma omp critical
      sum -= 1;
    }
  }
  printf("sum %d\n", sum);
  return 0;
}

/* wrapped_library.c -- the functions of wrapped.h. */
#include "wrapped.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <time.h>

long wrapped_many(int a, long b, short c, char d, unsigned e, long f, long g, int h, char i, long j, short k, void* l) {
  return a + 2 * b + 3 * c + 4 * d + 5 * (long)e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k + *(long*)l;
}
double wrapped_floats(double a, float b, double c, double d, double e, double f, double g, double h, double i, float j) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j;
}
long double wrapped_long_double(long double a, int n, long double b) { return a + n * b; }
double _Complex wrapped_complex(double _Complex a, float _Complex b, int n) { return a * b + n; }
struct wrapped_pair wrapped_pairs(struct wrapped_pair a, int n, struct wrapped_pair b) {
  return (struct wrapped_pair){a.first + n * b.first, a.second + n * b.second};
}
struct wrapped_block wrapped_blocks(int n, struct wrapped_block a, long m, struct wrapped_block b) {
  for (int i = 0; i < 9; ++i) a.numbers[i] = n * a.numbers[i] + m * b.numbers[i];
  return a;
}
int wrapped_errno(int code) {
  const int before = errno;
  errno = code;
  return before;
}
int wrapped_sum(const char* kinds, ...) {
  va_list list;
  double sum = 0;
  va_start(list, kinds);
  for (; *kinds; ++kinds) sum += *kinds == 'i' ? va_arg(list, int) : va_arg(list, double);
  va_end(list);
  return (int)sum;
}
int wrapped_recursive(int n) { return n > 0 ? n + wrapped_recursive(n - 1) : 0; }
int wrapped_call_back(int n, int (*function)(int, void*), void* closure) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += function(i, closure);
  return sum;
}
void wrapped_jump(void* buffer, int value) { longjmp(*(jmp_buf*)buffer, value); }
void wrapped_work(int n, double seconds) {
  struct timespec now, begin;
  (void)n;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  do clock_gettime(CLOCK_MONOTONIC, &now);
  while ((double)(now.tv_sec - begin.tv_sec) + 1e-9 * (double)(now.tv_nsec - begin.tv_nsec) < seconds);
}
int wrapped_sizes(int rank, const size_t dims[], const int* n) { return (int)dims[rank - 1] + *n; }

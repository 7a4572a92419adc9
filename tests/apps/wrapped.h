/* wrapped.h -- a library whose functions take and return everything that C has: wrapped_library.c has them. */
#ifndef WRAPPED_H
#define WRAPPED_H

#include <complex.h>
#include <stddef.h>

struct wrapped_pair {
  long first;
  double second;
};
struct wrapped_block {
  long numbers[9];
};

long wrapped_many(int a, long b, short c, char d, unsigned e, long f, long g, int h, char i, long j, short k, void* l);
double wrapped_floats(double a, float b, double c, double d, double e, double f, double g, double h, double i, float j);
long double wrapped_long_double(long double a, int n, long double b);
double _Complex wrapped_complex(double _Complex a, float _Complex b, int n);
struct wrapped_pair wrapped_pairs(struct wrapped_pair a, int n, struct wrapped_pair b);
struct wrapped_block wrapped_blocks(int n, struct wrapped_block a, long m, struct wrapped_block b);
int wrapped_errno(int code);
int wrapped_sum(const char* kinds, ...);
int wrapped_recursive(int n);
int wrapped_call_back(int n, int (*function)(int, void*), void* closure);
void wrapped_jump(void* buffer, int value);
void wrapped_work(int n, double seconds);
int wrapped_sizes(int rank, const size_t dims[], const int* n);
static inline int wrapped_inline(int n) { return n + 1; }

#endif

/* hot_function.c -- a program whose hottest function does nearly nothing, so that recording each call costs far more
 * than the call.
 *
 * usage: hot_function [STEPS]      (100)
 *
 * Each step calls weight() 60,000 times and smooth() twice. weight() takes about two nanoseconds, smooth() some 300
 * microseconds. What recording adds is all in weight(): a filter needs one rule.
 */
#include <stdio.h>
#include <stdlib.h>

enum { kCells = 60000 };
static double cells[kCells];

__attribute__((noinline)) static double weight(double value, int i) { return value * (1.0 + 1e-9 * (i & 7)); }

__attribute__((noinline)) static void smooth(void) {
  double left = cells[0];
  for (int pass = 0; pass < 4; ++pass)
    for (int i = 1; i + 1 < kCells; ++i) left = cells[i] = 0.25 * (left + 2 * cells[i] + cells[i + 1]);
}

__attribute__((noinline)) static void step(void) {
  for (int i = 0; i < kCells; ++i) cells[i] = weight(cells[i], i);
  smooth();
  smooth();
}

int main(int argc, char** argv) {
  const int steps = argc > 1 ? atoi(argv[1]) : 100;
  for (int i = 0; i < kCells; ++i) cells[i] = i % 17;
  for (int i = 0; i < steps; ++i) step();
  printf("%.12g\n", cells[kCells / 2]);
  return 0;
}

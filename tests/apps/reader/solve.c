// solve.c -- the part of a reader's program that computes. Its small function is called often.
static __attribute__((noinline)) double square(double value) { return value * value; }

double solve(int step) {
  double sum = step;
  for (int i = 0; i < 20000; ++i) sum += square(1.0 / (i + 1 + step));
  return sum;
}

/* own_symbols.c -- a program that defines getenv, and names that begin like those of the recorder, itself.
 *
 * It counts the calls of its getenv: the recorder must not call it, nor take what it returns. Prints "getenv 1, tarry 8,
 * pomp 9, hook 10".
 */
#include <stdio.h>
#include <stdlib.h>

static int lookups;

#define OWN __attribute__((noinline, no_instrument_function))

OWN char* getenv(const char* name) { return ++lookups, name ? NULL : NULL; }
OWN int tarry_helper(void) { return 8; }
OWN int POMP2_own(void) { return 9; }
OWN int cyg_profile(void) { return 10; }

static volatile long sum;
static __attribute__((noinline)) void work(int i) { sum += i; }

int main(void) {
  for (int i = 0; i < 200000; ++i) work(i);
  getenv("HOME");
  printf("getenv %d, tarry %d, pomp %d, hook %d\n", lookups, tarry_helper(), POMP2_own(), cyg_profile());
  return 0;
}

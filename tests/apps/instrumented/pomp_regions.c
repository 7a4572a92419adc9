/* pomp_regions.c -- regions marked with "#pragma pomp inst": begin, altbegin, altend, end, on and off, in C and C++.
 *
 * Visits of the regions: outer 1; early 4 below it, left by "altend" twice and by "end" twice; either 3, entered by
 * "begin" once and by "altbegin" twice; hidden 0 (off). Prints "pomp 6".
 */
#include <stdio.h>

static volatile int passes;

static __attribute__((noinline)) int leave_early(int value) {
#pragma pomp inst begin(early)
  if (value % 2) {
#pragma pomp inst altend(early)
    return 1;
  }
  passes = passes + 1;
#pragma pomp inst end(early)
  return 0;
}

static __attribute__((noinline)) void enter_either(int value) {
  if (value) {
#pragma pomp inst begin(either)
    passes = passes + 1;
  } else {
#pragma pomp inst altbegin(either)
    passes = passes + 2;
  }
#pragma pomp inst end(either)
}

int main(void) {
  int i;
#pragma pomp inst init
#pragma pomp inst begin(outer)
  for (i = 0; i < 4; ++i) leave_early(i);
#pragma pomp inst end(outer)
  for (i = 0; i < 2; ++i) enter_either(i);
#pragma pomp inst off
#pragma pomp inst begin(hidden)
  passes = passes + 1;
#pragma pomp inst end(hidden)
#pragma pomp inst on
  enter_either(0);
#pragma pomp noinstrument
  passes = passes - 2;
#pragma pomp instrument
  printf("pomp %d\n", passes);
  return 0;
}

/* overheads_pages.c -- touches pages for the first and for a second time: what the first one takes longer are faults.
 *
 * Needs tarry/user.h, since a serial program without OpenMP has no regions. Prints "cost NANOSECONDS" of a fault. */
#include <stdlib.h>
#include <sys/mman.h>
#include <tarry/user.h>

#include "overheads_timing.h"

enum { PAGES = 1 << 16, PAGE = 4096 };

static void touch(volatile char* pages) {
  for (size_t page = 0; page < PAGES; ++page) pages[page * PAGE] = 1;
}

int main(void) {
  char* pages = mmap(NULL, (size_t)PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  double first = 0, second = 0;
  if (pages == MAP_FAILED) abort();
  madvise(pages, (size_t)PAGES * PAGE, MADV_NOHUGEPAGE);
  TARRY_REGION_OVERHEADS("first touch", "ODATA_PAGE,COMP,OWRONG");
  TIMED(first, touch(pages));
  TARRY_REGION_END("first touch");
  TARRY_REGION_BEGIN("second touch");
  TIMED(second, touch(pages));
  TARRY_REGION_END("second touch");
  tell_own("ODATA_PAGE", first - second);
  tell("cost %.3f\n", 1e9 * (first - second) / PAGES);
  write_told();
  return 0;
}

// counted_writes.c -- writes to a file, and counts the writes in another one, which outlives it: to be killed.
//
// usage: counted_writes FILE COUNT [WRITES]      without a number for ever
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int main(int argc, char** argv) {
  const int file = argc > 2 ? open(argv[1], O_WRONLY | O_CREAT, 0600) : -1;
  const int count_file = argc > 2 ? open(argv[2], O_RDWR | O_CREAT, 0600) : -1;
  if (file < 0 || count_file < 0 || ftruncate(count_file, sizeof(uint64_t)) != 0) return 1;
  volatile uint64_t* const count = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, count_file, 0);
  if (count == MAP_FAILED) return 1;
  static const char data[16];
  const uint64_t most = argc > 3 ? strtoull(argv[3], NULL, 10) : UINT64_MAX;
  // Most are like the one before; some want another number of bytes.
  for (; *count < most; ++*count) {
    if (pwrite(file, data, *count % 100 == 99 ? 7 : sizeof data, 0) < 0) return 1;
  }
  return 0;
}

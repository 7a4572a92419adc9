/* counters_known.c -- does a known amount of what counters count, each in a function of its own.
 *
 * usage: counters_known PAGES NAPS MEGABYTES [THREADS]
 *
 * With MPI the ranks do it all; without (-DNO_MPI) THREADS threads touch the pages, each its own.
 */
#define _DEFAULT_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#ifndef NO_MPI
#include <mpi.h>
#endif

static size_t page_count;

__attribute__((noinline)) void touch_pages(void) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char *memory = mmap(NULL, page_count * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) abort();
  madvise(memory, page_count * page, MADV_NOHUGEPAGE);
  for (size_t i = 0; i < page_count; ++i) ((volatile char *)memory)[i * page] = 1;
  munmap(memory, page_count * page);
}

__attribute__((noinline)) void take_naps(int count) {
  for (int i = 0; i < count; ++i) usleep(2000);
}

__attribute__((noinline)) char *allocate(size_t bytes) {
  char *memory = malloc(bytes);
  if (!memory) abort();
  *(volatile char *)memory = 1;
  return memory;
}

__attribute__((noinline)) void release(char *memory) { free(memory); }

__attribute__((noinline)) void compute(void) {
  volatile double sum = 0;
  for (int i = 0; i < 60000000; ++i) sum += i;
}

static void *run_thread(void *unused) {
  touch_pages();
  return unused;
}

int main(int argc, char **argv) {
#ifndef NO_MPI
  MPI_Init(&argc, &argv);
#endif
  page_count = argc > 1 ? (size_t)atoi(argv[1]) : 100;
  const int naps = argc > 2 ? atoi(argv[2]) : 10;
  const size_t bytes = (argc > 3 ? (size_t)atoi(argv[3]) : 10) << 20;
  const int threads = argc > 4 ? atoi(argv[4]) : 0;
  pthread_t ids[64];
  for (int i = 0; i < threads && i < 64; ++i) pthread_create(&ids[i], NULL, run_thread, NULL);
  for (int i = 0; i < threads && i < 64; ++i) pthread_join(ids[i], NULL);
  if (threads == 0) touch_pages();
  take_naps(naps);
  char *memory = allocate(bytes);
  compute();
  release(memory);
#ifndef NO_MPI
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
#endif
  return 0;
}

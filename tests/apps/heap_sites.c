/* heap_sites.c -- allocates in known functions and frees elsewhere, or never.
 *
 * usage: heap_sites [MOST_BLOCKS]
 *
 * Prints a line "FUNCTION BLOCKS REQUESTED SET_ASIDE" for what each function has allocated and the program never frees.
 * MOST_BLOCKS more are allocated and freed in one function, all live at once. With MPI (-DMPI) rank 1 leaks as much again
 * in leak_here. What is freed is freed in another function, by another thread, behind the end of its thread, or never by a
 * child process. Some is allocated before main() and freed in it.
 */
#define _GNU_SOURCE
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef MPI
#include <mpi.h>
#endif

#define APART __attribute__((noinline))
enum { kMost = 4000 };
struct Held {
  void *blocks[kMost];
  int count;
};

static struct Held elsewhere, of_thread, early;
static void *volatile sink;

/* What is left of a function's blocks, by the counts that it has given up. */
static void tell(const char *function, long blocks, size_t requested, size_t set_aside) {
  printf("%s %ld %zu %zu\n", function, blocks, requested * (size_t)blocks, set_aside);
}

static void *checked(void *block) {
  if (!block) abort();
  *(volatile char *)block = 1;
  sink = block;
  return block;
}

__attribute__((constructor)) static void allocate_early(void) {
  while (early.count < 100) early.blocks[early.count++] = malloc(100);
}

APART void free_all(struct Held *held) {
  while (held->count > 0) free(held->blocks[--held->count]);
}

APART void leak_here(int blocks) {
  size_t set_aside = 0;
  for (int i = 0; i < blocks; ++i) set_aside += malloc_usable_size(checked(malloc(10000)));
  tell("leak_here", blocks, 10000, set_aside);
}

APART void leak_aligned(void) {
  size_t set_aside = 0;
  for (int i = 0; i < 10; ++i) {
    void *block = NULL;
    if (posix_memalign(&block, 256, 5000)) abort();
    set_aside += malloc_usable_size(checked(block));
    set_aside += malloc_usable_size(checked(aligned_alloc(64, 5000 / 64 * 64 + 64)));
    set_aside += malloc_usable_size(checked(memalign(128, 5000)));
  }
  printf("leak_aligned 30 %d %zu\n", 10 * (5000 + 5056 + 5000), set_aside);
}

APART void leak_zeroed(void) {
  size_t set_aside = 0;
  for (int i = 0; i < 50; ++i) set_aside += malloc_usable_size(checked(calloc(7, 1000)));
  tell("leak_zeroed", 50, 7000, set_aside);
}

/* The last block of each is of this function, whoever has allocated the first one. */
APART void leak_grown(void *first) {
  size_t set_aside = 0;
  void *block = first;
  for (size_t size = 100; size <= 409600; size *= 4) block = checked(realloc(block, size));
  set_aside += malloc_usable_size(block);
  block = checked(reallocarray(NULL, 50, 100));
  set_aside += malloc_usable_size(block);
  char *text = checked(strdup("a text that the C library allocates"));
  set_aside += malloc_usable_size(text);
  printf("leak_grown 3 %d %zu\n", 409600 + 5000 + 36, set_aside);
}

APART void *first_block(void) { return checked(malloc(30)); }

APART void allocate_for_others(void) {
  while (elsewhere.count < 200) elsewhere.blocks[elsewhere.count++] = checked(malloc(50000));
}

/* 60 of its 100 blocks are never freed. */
APART void allocate_in_thread(void) {
  size_t set_aside = 0;
  for (int i = 0; i < 100; ++i) {
    void *const block = checked(malloc(1000));
    if (i < 40) of_thread.blocks[of_thread.count++] = block;
    else set_aside += malloc_usable_size(block);
  }
  tell("allocate_in_thread", 60, 1000, set_aside);
}

static void *run_thread(void *unused) {
  free_all(&elsewhere);
  allocate_in_thread();
  return unused;
}

APART void allocate_most(long megabytes) {
  void *blocks[64];
  for (long i = 0; i < megabytes; ++i) memset(blocks[i] = checked(malloc(1 << 20)), 1, 1 << 20);
  for (long i = 0; i < megabytes; ++i) free(blocks[i]);
}

APART void allocate_many(long count) {
  void **last = NULL;
  for (long i = 0; i < count; ++i) {
    void **const block = malloc(sizeof *block);
    if (!block) abort();
    *block = last;
    last = block;
  }
  while (last) {
    void **const before = *last;
    free(last);
    last = before;
  }
}

/* A child of its own leaves more, and frees what is its parent's. */
APART void fork_child(void) {
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 1000; ++i) sink = malloc(10000);
    free_all(&of_thread);
    _exit(0);
  }
  int status = 1;
  if (waitpid(child, &status, 0) != child || status != 0) abort();
}

int main(int argc, char **argv) {
  int rank = 0;
#ifdef MPI
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#endif
  static char buffer[1 << 16];
  setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
  free_all(&early);
  leak_here(300);
  if (rank == 1) leak_here(300);
  leak_aligned();
  leak_zeroed();
  leak_grown(first_block());
  allocate_for_others();
  pthread_t thread;
  if (pthread_create(&thread, NULL, run_thread, NULL)) return 1;
  pthread_join(thread, NULL);
  fork_child();
  free_all(&of_thread);
  allocate_most(40);
  allocate_many(argc > 1 ? atol(argv[1]) : 1000);
#ifdef MPI
  MPI_Finalize();
#endif
  return 0;
}

/* run_time_code.c -- spends most of its time in code that it makes itself, with a frame pointer and without one.
 *
 * usage: run_time_code. Prints the processor time in that code and in all, in seconds. Samples must find the same share
 * in `[unknown code]`, below call_plain() and call_framed(). For x86-64. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

typedef void (*Loop)(long);

static double processor_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

__attribute__((noinline)) static double own_loop(double seconds) {
  volatile long sum = 0;
  const double end = processor_time() + seconds;
  while (processor_time() < end)
    for (int i = 0; i < 100000; ++i) sum += i;
  return (double)sum;
}

__attribute__((noinline)) static void call_plain(Loop loop, long count) {
  loop(count);
  __asm__ volatile("");
}

__attribute__((noinline)) static void call_framed(Loop loop, long count) {
  loop(count);
  __asm__ volatile("");
}

/* As much as takes `seconds`. */
static void for_seconds(void (*call)(Loop, long), Loop loop, double seconds) {
  const double end = processor_time() + seconds;
  while (processor_time() < end) call(loop, 30000000);
}

int main(void) {
  static const unsigned char kPlain[] = {0x48, 0xff, 0xcf, 0x75, 0xfb, 0xc3}; /* dec rdi; jnz; ret */
  static const unsigned char kFramed[] = {0x55, 0x48, 0x89, 0xe5, 0x51,       /* push rbp; mov rbp, rsp; push rcx */
                                          0x48, 0xff, 0xcf, 0x75, 0xfb,       /* dec rdi; jnz */
                                          0x59, 0x5d, 0xc3};                  /* pop rcx; pop rbp; ret */
  unsigned char* const code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (code == MAP_FAILED) return 77;
  memcpy(code, kPlain, sizeof kPlain);
  memcpy(code + 64, kFramed, sizeof kFramed);
  const double begin = processor_time();
  own_loop(0.3);
  const double made = processor_time();
  for_seconds(call_plain, (Loop)code, 0.5);
  for_seconds(call_framed, (Loop)(code + 64), 0.5);
  const double known = processor_time() - made;
  own_loop(0.2);
  printf("%.6f %.6f\n", known, processor_time() - begin);
  return 0;
}

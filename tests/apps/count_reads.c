// count_reads.c -- a library to preload: at the end it writes how often memory was read by a system call.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static long reads;

ssize_t process_vm_readv(pid_t process, const struct iovec* here, unsigned long here_count, const struct iovec* there,
                         unsigned long there_count, unsigned long flags) {
  __atomic_fetch_add(&reads, 1, __ATOMIC_RELAXED);
  return syscall(SYS_process_vm_readv, process, here, here_count, there, there_count, flags);
}

__attribute__((destructor)) static void write_count(void) {
  const char* const path = getenv("COUNT_READS_IN");
  FILE* const file = path ? fopen(path, "a") : NULL;
  if (!file) return;
  fprintf(file, "%ld\n", reads);
  fclose(file);
}

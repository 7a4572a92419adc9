// own_files.c -- writes and reads 50,000,000 bytes without MPI, by descriptors and by streams, and tries what a recorder
// in front of these functions could break.
//
// usage: own_files FOLDER; prints what it sees, the same with and without a recorder.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kBlock = 1000000 };
static char block[kBlock];
static int rank;

static void check(int holds, const char* what) {
  if (!holds) printf("rank %d: %s fails\n", rank, what);
}

__attribute__((noinline)) static void with_descriptors(const char* name) {
  int file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
  for (int i = 0; i < 20; ++i) check(write(file, block, kBlock) == kBlock, "write");
  for (int i = 0; i < 20; ++i) check(pwrite(file, block, kBlock, (off_t)(20 + i) * kBlock) == kBlock, "pwrite");
  check(lseek(file, 0, SEEK_END) == 40 * (off_t)kBlock, "lseek");
  const struct iovec parts[2] = {{block, kBlock / 2}, {block, kBlock / 2}};
  for (int i = 0; i < 9; ++i) check(writev(file, parts, 2) == kBlock, "writev");
  check(fsync(file) == 0, "fsync");
  // A copy of the descriptor is the same file, also after the first is closed.
  int copy = dup(file);
  close(file);
  check(dprintf(copy, "%0999999d\n", 1) == kBlock, "dprintf");
  check(pread(copy, block, 100, 5) == 100, "pread");
  memset(block, 'x', 100);
  close(copy);
}

__attribute__((noinline)) static void with_streams(const char* name) {
  FILE* stream = fopen(name, "w");
  for (int i = 0; i < 49; ++i) check(fwrite(block, 1, kBlock, stream) == kBlock, "fwrite");
  for (int i = 0; i < 50000; ++i) fprintf(stream, "%09d\n", i);
  for (int i = 0; i < 500000; ++i) putc('y', stream);
  fclose(stream);
  stream = fopen(name, "r");
  size_t seen = 0;
  for (int i = 0; i < 49; ++i) seen += fread(block, 1, kBlock, stream);
  char line[32];
  int number = -1;
  for (int i = 0; i < 25000; ++i) check(fgets(line, sizeof line, stream) && atoi(line) == i, "fgets");
  for (int i = 25000; i < 50000; ++i) check(fscanf(stream, "%d", &number) == 1 && number == i, "fscanf");
  getc(stream);
  while (getc(stream) != EOF) ++seen;
  check(seen == 49500000, "fread");
  fclose(stream);
}

static volatile sig_atomic_t handled;
static void on_signal(int number) {
  (void)number;
  handled = write(STDERR_FILENO, "", 0) == 0;
}

__attribute__((noinline)) static void with_care(const char* name) {
  errno = 4711;
  check(open("/nowhere/at/all", O_RDONLY) == -1 && errno == ENOENT, "errno of open");
  errno = 4711;
  int file = open(name, O_WRONLY | O_CREAT, 0600);
  check(write(file, "ab", 2) == 2 && errno == 4711, "errno of write");
  check(read(file, block, 2) == -1 && errno == EBADF, "errno of read");
  check(fopen(name, "?") == NULL && errno == EINVAL, "errno of fopen");
  // A number that is free again is not the file.
  close_range((unsigned)file, (unsigned)file, 0);
  int ends[2];
  check(pipe(ends) == 0 && ends[0] == file, "pipe");
  check(write(ends[1], "abc", 3) == 3 && read(ends[0], block, 3) == 3, "pipe's bytes");
  close(ends[0]);
  close(ends[1]);
  signal(SIGUSR1, on_signal);
  raise(SIGUSR1);
  check(handled, "write in a signal handler");
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    FILE* stream = fopen(name, "a");
    fputs("child\n", stream);
    fclose(stream);
    _exit(7);
  }
  int status = 0;
  check(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7, "child");
  FILE* memory = fmemopen(block, 10, "w");
  check(fputs("memory", memory) >= 0 && fclose(memory) == 0, "fmemopen");
}

int main(int argc, char** argv) {
  FILE* early = fopen(argv[0], "r");
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  check(fread(block, 1, 16, early) == 16 && fclose(early) == 0, "a file that was opened before MPI_Init");
  memset(block, 'x', sizeof block);
  char name[3][4096];
  const char* const kinds[3] = {"descriptors", "streams", "care"};
  for (int i = 0; i < 3; ++i) snprintf(name[i], sizeof name[i], "%s/%s.%d", argv[1], kinds[i], rank);
  with_descriptors(name[0]);
  with_streams(name[1]);
  with_care(name[2]);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) puts("done");
  MPI_Finalize();
  return 0;
}

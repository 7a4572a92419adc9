// shared_files.c -- files that threads share, copies of descriptors, thousands of names, and names of large-file functions.
//
// Expected: src 10,000,000 bytes each way, dst 10,000,500 and shared 50,000,000 written, st 1,000,000 each way, 7 in each d/fN.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static char b[1000];
static int shared;
static void* work(void* p) { for (int i = 0; i < 10000; ++i) if (pwrite64(shared, b, 1000, (long)p * 10000000L + i * 1000L) != 1000) abort(); return 0; }
__attribute__((noinline)) static void copy(int in, int out) { ssize_t n; while ((n = read(in, b, sizeof b)) > 0) if (write(out, b, n) != n) abort(); }
int main(int argc, char** argv) {
  close(0);
  int f = open("src", O_RDWR | O_CREAT | O_TRUNC, 0600);   // descriptor 0
  for (int i = 0; i < 10000; ++i) if (write(f, b, 1000) != 1000) abort();
  lseek(f, 0, SEEK_SET);
  int g = open64("dst", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  copy(f, g);
  shared = open("shared", O_RDWR | O_CREAT | O_TRUNC, 0600);
  pthread_t t[5];
  for (long i = 0; i < 5; ++i) pthread_create(&t[i], 0, work, (void*)i);
  for (int i = 0; i < 5; ++i) pthread_join(t[i], 0);
  dup2(g, 9); close(g);
  if (write(9, b, 500) != 500) abort();
  close(9);
  for (int i = 0; i < 3000; ++i) { char n[32]; sprintf(n, "d/f%d", i); int h = creat(n, 0600); if (write(h, b, 7) != 7) abort(); close(h); }
  if (fork() == 0) { if (write(f, b, 3) < 0) abort(); _exit(0); }
  wait(0);
  FILE* s = fopen64("st", "w"); for (int i = 0; i < 1000; ++i) fprintf(s, "%0999d\n", i); fclose(s);
  s = fopen("st", "r"); while (fgets(b, sizeof b, s)); fclose(s);
  return 0;
}

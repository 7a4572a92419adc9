// locked_allocator.c -- a handler writes while it interrupts the program's own allocator, which holds its lock.
//
// usage: locked_allocator THREADS      The first that each thread does is to be interrupted so. Prints the writes.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* memory, size_t size);
extern void __libc_free(void* memory);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread int is_to_be_interrupted = 0;
static int out = -1;

static void begin(void) {
  pthread_mutex_lock(&lock);
  if (!is_to_be_interrupted) return;
  is_to_be_interrupted = 0;
  raise(SIGUSR1);
}
static void* end(void* memory) {
  pthread_mutex_unlock(&lock);
  return memory;
}

void* malloc(size_t size) {
  begin();
  return end(__libc_malloc(size));
}
void* calloc(size_t count, size_t size) {
  begin();
  return end(__libc_calloc(count, size));
}
void* realloc(void* memory, size_t size) {
  begin();
  return end(__libc_realloc(memory, size));
}
void free(void* memory) {
  begin();
  __libc_free(memory);
  end(NULL);
}

static void write_one(int signal) {
  (void)signal;
  if (write(out, "x", 1) != 1) _exit(3);
}

static void* allocate(void* nothing) {
  is_to_be_interrupted = 1;
  void* volatile memory = malloc(100);
  free(memory);
  return nothing;
}

int main(int argc, char** argv) {
  const int threads = argc > 1 ? atoi(argv[1]) : 10;
  out = open("interrupted", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
  signal(SIGUSR1, write_one);
  for (int i = 0; i < threads; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, allocate, NULL) != 0) return 2;
    pthread_join(thread, NULL);
  }
  printf("%d\n", threads);
  return 0;
}

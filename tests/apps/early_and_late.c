/* early_and_late.c -- constructors and destructors that start threads, fork, open libraries, and throw nothing away.
 *
 * Prints what each of them has seen, in their order.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile long sum;
static __attribute__((noinline)) void work(int i) { sum += i; }
static void* burn(void* calls) {
  for (long i = 0; i < (long)calls; ++i) work((int)i);
  return NULL;
}
static void in_thread(const char* where) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, burn, (void*)5000L)) exit(2);
  pthread_join(thread, NULL);
  printf("thread in %s\n", where);
}
static void in_child(const char* where) {
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    burn((void*)100L);
    _exit(3);
  }
  int status = 0;
  waitpid(child, &status, 0);
  printf("child in %s: %d\n", where, WEXITSTATUS(status));
}
static void in_library(const char* where) {
  void* library = dlopen("libm.so.6", RTLD_NOW);
  printf("library in %s: %d\n", where, library && dlclose(library) == 0);
}
#define AT(kind, order, name)                                        \
  static __attribute__((kind(order))) void kind##_##order(void) {    \
    in_thread(name);                                                 \
    in_child(name);                                                  \
    in_library(name);                                                \
    fflush(NULL);                                                    \
  }
AT(constructor, 101, "first constructor")
AT(constructor, 60000, "last constructor")
AT(destructor, 101, "last destructor")
AT(destructor, 60000, "first destructor")

/* Resolved before anything else of the program runs. */
static int fast(void) { return 4; }
static int (*choose(void))(void) { return fast; }
int chosen(void) __attribute__((ifunc("choose")));

int main(void) {
  burn((void*)50000L);
  printf("chosen %d\n", chosen());
  in_thread("main");
  return 0;
}

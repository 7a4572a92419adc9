/* has_functions.c -- asks in every way for functions that its MPI library may not have, and prints what it finds.
 *
 * A program of MPI, or one that asks whether there is MPI: it is linked with or without. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

extern int MPI_Init() __attribute__((weak));
extern int MPI_Finalize() __attribute__((weak));
extern int MPI_Session_init() __attribute__((weak));

static int (*const volatile table[])() = {MPI_Init, MPI_Session_init};

static const char* find(void* library, const char* name) {
  void* function = dlsym(library, name);
  const char* error = dlerror();
  return function ? "yes" : error && strstr(error, name) ? "no" : "nobody says";
}

int main(void) {
  void* program = dlopen(NULL, RTLD_NOW);
  if (MPI_Init) MPI_Init(NULL, NULL);
  printf("linked: %d %d; table: %d %d", MPI_Init != 0, MPI_Session_init != 0, table[0] != 0, table[1] != 0);
  const char* const names[] = {"MPI_Barrier", "MPI_Session_init", "MPI_None"};
  for (int i = 0; i < 3; ++i)
    printf("; %s: %s %s %s", names[i], find(RTLD_DEFAULT, names[i]), find(RTLD_NEXT, names[i]), find(program, names[i]));
  puts("");
  if (MPI_Finalize) MPI_Finalize();
  return 0;
}

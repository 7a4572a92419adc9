/* load_mpi_plugin.c -- opens a plug-in with RTLD_LOCAL and uses MPI only there: load_mpi_plugin PLUGIN WAY.
 *
 * WAY: once; threads: two of them ask first; ask-and-reload: asks, closes it, and runs it when MPI lies elsewhere;
 * run-twice: from MPI_Init to MPI_Finalize, closes it, the same again. Any other WAY is a second plug-in, with an MPI
 * library of its own: runs that instead. Complains, and ends with 1, if MPI is found without the plug-in, if a message
 * of dlerror() changes, or if the library stays after dlclose. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef int (*function)(void);
static const char* path;

static void require(int is_true, const char* what) {
  if (is_true) return;
  fprintf(stderr, "load_mpi_plugin: %s\n", what);
  exit(1);
}

static void* open_plugin(void) {
  void* plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  require(plugin != NULL, "the plug-in cannot be opened");
  return plugin;
}

static function find(void* plugin, const char* name) { return (function)(intptr_t)dlsym(plugin, name); }

static void call(void* plugin, const char* name) { require(find(plugin, name)() == 0, name); }

static void* call_ask(void* plugin) {
  for (int i = 0; i < 100; ++i) call(plugin, "ask");
  return NULL;
}

/* Closes the plug-in and puts something else where its MPI library was. */
static void close_plugin(void* plugin) {
  void* there = dlsym(plugin, "PMPI_Init");
  require(there != NULL, "the plug-in has no MPI");
  char* page = (char*)((uintptr_t)there & ~(uintptr_t)4095);
  dlclose(plugin);
  require(mmap(page, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == page,
          "the MPI library is still there");
}

int main(int argc, char** argv) {
  require(argc == 3, "two arguments");
  path = argv[1];
  const char* way = argv[2];
  require(dlerror() == NULL, "somebody has left an error of dlsym");
  void* plugin = open_plugin();
  const function ask = find(plugin, "ask");
  require(dlsym(plugin, "no_such_name") == NULL, "the plug-in has any name");
  require(ask() == 0, "wrong answers before MPI_Init");
  const char* error = dlerror();
  require(error && strstr(error, "no_such_name"), "the message of dlerror has changed");
  /* Open MPI itself makes its names public in MPI_Init. */
  require(dlsym(RTLD_DEFAULT, "PMPI_Init") == NULL, "MPI can be found without the plug-in");
  if (strcmp(way, "threads") == 0) {
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, call_ask, plugin);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  }
  if (strcmp(way, "run-twice") == 0) call(plugin, "run");
  if (strcmp(way, "run-twice") == 0 || strcmp(way, "ask-and-reload") == 0) {
    close_plugin(plugin);
    plugin = open_plugin();
    call(plugin, "ask");
  }
  if (strchr(way, '/') != NULL) {
    path = way;
    plugin = open_plugin();
  }
  call(plugin, "run");
  return 0;
}

// local_runtime.c -- a program in C whose libraries in C++ catch exceptions: the C++ runtime is there for them only.
//
// local_runtime LIBRARY...: opens each library three times with RTLD_LOCAL, calls its count_caught() here and in a
// thread, and closes it.
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

typedef int (*Count)(int);
static Count count_caught;

static void* count_in_thread(void* result) {
  *(int*)result = count_caught(3);
  return NULL;
}

int main(int argc, char** argv) {
  for (int i = 0; i < 3 * (argc - 1); ++i) {
    const char* name = argv[1 + i % (argc - 1)];
    void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library) return fprintf(stderr, "%s\n", dlerror()), 1;
    count_caught = (Count)dlsym(library, "count_caught");
    pthread_t thread;
    int in_thread = 0;
    pthread_create(&thread, NULL, count_in_thread, &in_thread);
    pthread_join(thread, NULL);
    printf("%s: %d here, %d in a thread\n", name, count_caught(5), in_thread);
    dlclose(library);
  }
  printf("the program has a C++ runtime: %d\n", dlsym(RTLD_DEFAULT, "__cxa_throw") != NULL);
  return 0;
}

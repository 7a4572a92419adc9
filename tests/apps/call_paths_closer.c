/* call_paths_closer.c -- a library that closes others as UCX does: by the C library's dlclose(), or one behind it. */
#define _GNU_SOURCE
#include <dlfcn.h>

int close_it(void* library) {
  static int calls;
  void* const scope = calls++ % 2 ? RTLD_NEXT : dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);
  int (*next)(void*) = (int (*)(void*))dlsym(scope, "dlclose");
  return next(library);
}

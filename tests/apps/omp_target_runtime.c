/* omp_target_runtime.c -- plays the OpenMP runtime of a machine with accelerators: it tells its tool (OMPT) of target
   constructs as LLVM's does for a plug-in that starts kernels and comes back. Prints how long the constructs took. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

typedef void (*Callback)(void);
typedef Callback (*Lookup)(const char*);
typedef struct {
  int (*initialize)(Lookup, int, void*);
  void (*finalize)(void*);
  uint64_t data;
} StartToolResult;

enum { kDeviceInitialize = 12, kTarget = 33, kDataOp = 34, kSubmit = 35, kEvents = 40 };
enum { kBegin = 1, kEnd = 2 };
static Callback callbacks[kEvents];

static int set_callback(int event, Callback callback) {
  if (event < 0 || event >= kEvents) return 0;
  callbacks[event] = callback;
  return 5;
}

static Callback lookup(const char* name) { return strcmp(name, "ompt_set_callback") ? NULL : (Callback)set_callback; }

static double seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

static void pass(double duration) {
  const double end = seconds() + duration;
  while (seconds() < end) {}
}

static void target(int endpoint, const void* place) {
  static uint64_t data;
  if (callbacks[kTarget])
    ((void (*)(int, int, int, void*, void*, void*, const void*))callbacks[kTarget])(1, endpoint, 0, NULL, NULL, &data, place);
}

static void submit(int endpoint) {
  static uint64_t data, id;
  if (callbacks[kSubmit]) ((void (*)(int, void*, void*, unsigned))callbacks[kSubmit])(endpoint, &data, &id, 1);
}

/* operation: 1 allocates, 2 copies to the device, 3 copies from it. */
static void data_op(int endpoint, int operation, size_t bytes, const void* place) {
  static uint64_t data, id;
  const int host = 1, is_out = operation == 3;
  if (callbacks[kDataOp])
    ((void (*)(int, void*, void*, void*, int, void*, int, void*, int, size_t, const void*))callbacks[kDataOp])(
        endpoint, NULL, &data, &id, operation, NULL, is_out ? 0 : host, NULL, is_out ? host : 0, bytes, place);
}

/* Starting a kernel takes 1 ms, the kernel 20 ms, and each copy is given in 1 ms. */
static void __attribute__((noinline)) construct(void) {
  const void* const place = __builtin_return_address(0);
  target(kBegin, place);
  data_op(kBegin, 1, 1024, place);
  data_op(kEnd, 1, 1024, place);
  data_op(kBegin, 2, 1024, place);
  pass(1e-3);
  data_op(kEnd, 2, 1024, place);
  submit(kBegin);
  pass(1e-3);
  submit(kEnd);
  data_op(kBegin, 3, 1024, place);
  pass(1e-3);
  data_op(kEnd, 3, 1024, place);
  pass(20e-3);
  target(kEnd, place);
}

int main(void) {
  typedef StartToolResult* (*StartTool)(unsigned, const char*);
  const StartTool start = (StartTool)dlsym(RTLD_DEFAULT, "ompt_start_tool");
  StartToolResult* const tool = start ? start(201811, "a runtime of this test") : NULL;
  if (tool && tool->initialize(lookup, 0, &tool->data) && callbacks[kDeviceInitialize])
    ((void (*)(int, const char*, void*, Lookup, const char*))callbacks[kDeviceInitialize])(0, "sm_90", NULL, lookup, "");
  const double begin = seconds();
  for (int i = 0; i < 5; ++i) construct();
  fprintf(stderr, "constructs %.6f\n", seconds() - begin);
  if (tool) tool->finalize(&tool->data);
  puts("done");
  return 0;
}

/* cuda_waits.c -- programs of CUDA whose waits are known: each prints what it has measured itself, in seconds. Kernels
   are those of cuda_runtime.c: as long as their block says.

   usage: cuda_waits CASE
     slow      the host has little to do while a long kernel runs
     late      the host computes before it launches the next kernel
     copies    a copy before and behind each kernel, and a fill, one after the other
     streams   kernels in two streams, of which the program waits for one and then for the device
     graph     launches of a graph of three kernels
     managed   a kernel uses memory that host and device share
     many      20000 short kernels
     threads   four threads launch into streams of their own
     running   a kernel is still running when the program ends
     fork      a child, which uses nothing of CUDA, ends first
     reset     the program gives the device up before it ends
     at_once   the program ends by _exit()
     cancelled a thread is cancelled that has launched kernels
     handler   a signal's handler ends the program, in a call of CUDA that holds a lock */
#define _GNU_SOURCE
#include <cuda_runtime_api.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double in_host_wait, in_kernels, before_launches;

static double seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

static void check(cudaError_t outcome) {
  if (outcome != cudaSuccess) exit(3);
}

static void compute(double duration) {
  const double end = seconds() + duration;
  while (seconds() < end) {
  }
}

static void launch(const char* kernel, unsigned microseconds, cudaStream_t stream) {
  const dim3 grid = {1, 1, 1}, block = {microseconds, 1, 1};
  check(cudaLaunchKernel(kernel, grid, block, NULL, 0, stream));
  in_kernels += microseconds * 1e-6;
}

static void finish(cudaStream_t stream) {
  const double begin = seconds();
  check(cudaStreamSynchronize(stream));
  in_host_wait += seconds() - begin;
}

static void slow(void) {
  for (int i = 0; i < 5; ++i) {
    launch("_Z4spinPf", 20000, NULL);
    compute(0.005);
    finish(NULL);
  }
}

static void late(void) {
  for (int i = 0; i < 5; ++i) {
    launch("_Z4spinPf", 5000, NULL);
    finish(NULL);
    const double ended = seconds();
    if (i < 4) compute(0.02);
    if (i < 4) before_launches += seconds() - ended;
  }
}

static void copies(void) {
  static char host[16 << 20];
  void* device;
  check(cudaMalloc(&device, sizeof host));
  for (int i = 0; i < 3; ++i) {
    check(cudaMemcpy(device, host, 8 << 20, cudaMemcpyHostToDevice));
    launch("_Z4spinPf", 20000, NULL);
    const double begin = seconds();
    check(cudaMemcpy(host, device, 4 << 20, cudaMemcpyDeviceToHost));
    in_host_wait += seconds() - begin - (4 << 20) * 1e-9;
    check(cudaMemsetAsync(device, 0, 2 << 20, NULL));
    check(cudaMemcpyAsync(device, device, 1 << 20, cudaMemcpyDeviceToDevice, NULL));
    check(cudaStreamSynchronize(NULL));
  }
}

static void two_streams(void) {
  cudaStream_t one, two;
  check(cudaStreamCreate(&one));
  check(cudaStreamCreate(&two));
  for (int i = 0; i < 3; ++i) {
    launch("_Z5shortv", 10000, one);
    launch("_Z4longv", 30000, two);
    finish(one);
    const double begin = seconds();
    check(cudaDeviceSynchronize());
    in_host_wait += seconds() - begin;
  }
}

static void graph(void) {
  cudaStream_t stream;
  cudaGraph_t captured;
  cudaGraphExec_t executable;
  check(cudaStreamCreate(&stream));
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (unsigned microseconds = 5000; microseconds <= 15000; microseconds += 5000)
    launch("_Z4spinPf", microseconds, stream);
  check(cudaStreamEndCapture(stream, &captured));
  check(cudaGraphInstantiateWithFlags(&executable, captured, 0));
  for (int i = 0; i < 3; ++i) {
    const double idle = seconds();
    if (i > 0) compute(0.01);
    if (i > 0) before_launches += seconds() - idle;
    check(cudaGraphLaunch(executable, stream));
    finish(stream);
  }
  in_kernels *= 3;
}

static void managed(void) {
  void* memory;
  check(cudaMallocManaged(&memory, 4 << 20, cudaMemAttachGlobal));
  launch("_Z4spinPf", 10000, NULL);
  finish(NULL);
  compute(0.01);
}

static void many(void) {
  for (int i = 0; i < 20000; ++i) launch("_Z4tinyv", 1, NULL);
  check(cudaDeviceSynchronize());
}

static void* launch_some(void* stream) {
  for (int i = 0; i < 10; ++i) {
    const dim3 grid = {1, 1, 1}, block = {1000, 1, 1};
    check(cudaLaunchKernel("_Z4spinPf", grid, block, NULL, 0, stream));
    check(cudaStreamSynchronize(stream));
  }
  return NULL;
}

static void threads(void) {
  pthread_t all[4];
  cudaStream_t streams[4];
  for (int i = 0; i < 4; ++i) check(cudaStreamCreate(&streams[i]));
  for (int i = 0; i < 4; ++i) pthread_create(&all[i], NULL, launch_some, streams[i]);
  for (int i = 0; i < 4; ++i) pthread_join(all[i], NULL);
}

static void running(void) {
  launch("_Z4spinPf", 10000, NULL);
  finish(NULL);
  launch("_Z7endlessv", 4000000000u, NULL);
}

static void in_child(void) {
  launch("_Z4spinPf", 10000, NULL);
  const pid_t child = fork();
  if (child == 0) exit(5);
  int status = 0;
  waitpid(child, &status, 0);
  printf("child %d\n", WEXITSTATUS(status));
  launch("_Z4spinPf", 10000, NULL);
  finish(NULL);
}

static void reset(void) {
  launch("_Z4spinPf", 10000, NULL);
  finish(NULL);
  check(cudaDeviceReset());
}

static void at_once(void) {
  launch("_Z4spinPf", 10000, NULL);
  finish(NULL);
  _exit(6);
}

static void* launch_until_cancelled(void* unused) {
  (void)unused;
  for (;;) {
    launch("_Z4spinPf", 1000, NULL);
    check(cudaDeviceSynchronize());
    pthread_testcancel();
  }
  return NULL;
}

static void cancelled(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, launch_until_cancelled, NULL);
  compute(0.02);
  pthread_cancel(thread);
  pthread_join(thread, NULL);
}

static void end_program(int signal) {
  (void)signal;
  exit(7);
}

static void in_handler(void) {
  launch("_Z4spinPf", 10000, NULL);
  finish(NULL);
  signal(SIGALRM, end_program);
  ualarm(50000, 0);
  launch("_Z5neverv", 0, NULL);
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*run)(void);
  } kCases[] = {{"slow", slow},       {"late", late},       {"copies", copies},      {"streams", two_streams},
                {"many", many},       {"threads", threads}, {"running", running},    {"fork", in_child},
                {"graph", graph},     {"managed", managed},
                {"at_once", at_once}, {"reset", reset},     {"handler", in_handler}, {"cancelled", cancelled}};
  int device = -1;
  void* memory;
  check(cudaMalloc(&memory, 1));
  check(cudaGetDevice(&device));
  for (size_t i = 0; argc == 2 && i < sizeof kCases / sizeof *kCases; ++i) {
    if (strcmp(argv[1], kCases[i].name) != 0) continue;
    kCases[i].run();
    printf("%s is done\n", argv[1]);
    fprintf(stderr, "host_wait %f\nkernels %f\nlaunches %f\n", in_host_wait, in_kernels, before_launches);
    return 0;
  }
  return 2;
}

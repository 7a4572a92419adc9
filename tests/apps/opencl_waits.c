/* opencl_waits.c -- programs of OpenCL whose waits are known: each prints what it has measured itself, in seconds.

   usage: opencl_waits CASE
     slow      the host has little to do while a long kernel runs
     little    a few kernels; `much` has three times as many at the same place
     late      the host computes before it launches the next kernel
     copies    a copy before and behind each kernel, one after the other
     queues    two queues, of which one is asked for properties
     events    an out-of-order queue; the program waits for events, and has callbacks
     order     kernels that wait in their queue for others which they do not need
     read      the same, and all read one buffer
     shared    kernels that need those before them, by the buffers that they use
     told      the same, by a wait list, a barrier, or the host's memory */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char* kSource =
    "__kernel void spin(__global float* data, int rounds) {\n"
    "  float value = data[get_global_id(0)];\n"
    "  for (int i = 0; i < rounds; ++i) value = value * 0.999f + 1.0f;\n"
    "  data[get_global_id(0)] = value;\n"
    "}\n"
    "__kernel void fill(__global float* data) { data[get_global_id(0)] = 1.0f; }\n"
    "__kernel void blend(__global const float* from, __global float* to, int rounds) {\n"
    "  float value = from[get_global_id(0)];\n"
    "  for (int i = 0; i < rounds; ++i) value = value * 0.999f + 1.0f;\n"
    "  to[get_global_id(0)] = value;\n"
    "}\n";

enum { ITEMS = 1024 };
static cl_context context;
static cl_device_id device;
static cl_command_queue queue;
static cl_kernel spin, fill, blend;
static cl_mem data;
static double in_host_wait, in_kernels, before_launches, in_copies, in_order;

static void check(cl_int outcome, const char* what) {
  if (outcome == CL_SUCCESS) return;
  fprintf(stderr, "%s: %d\n", what, outcome);
  exit(1);
}

static double seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

static void set_up(cl_command_queue_properties properties) {
  cl_int outcome;
  cl_platform_id platform;
  check(clGetPlatformIDs(1, &platform, NULL), "platform");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &outcome);
  check(outcome, "context");
  queue = clCreateCommandQueue(context, device, properties, &outcome);
  check(outcome, "queue");
  cl_program program = clCreateProgramWithSource(context, 1, &kSource, NULL, &outcome);
  check(clBuildProgram(program, 1, &device, "", NULL, NULL), "build");
  spin = clCreateKernel(program, "spin", &outcome);
  fill = clCreateKernel(program, "fill", &outcome);
  blend = clCreateKernel(program, "blend", &outcome);
  data = clCreateBuffer(context, CL_MEM_READ_WRITE, ITEMS * sizeof(float), NULL, &outcome);
  check(outcome, "buffer");
  check(clSetKernelArg(spin, 0, sizeof data, &data), "argument");
  check(clSetKernelArg(fill, 0, sizeof data, &data), "argument");
}

static double time_of(cl_event event) {
  cl_ulong begin = 0, end = 0;
  clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL);
  clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
  return (end - begin) * 1e-9;
}

static void launch(cl_command_queue into, cl_kernel kernel, int rounds, cl_event* event) {
  const size_t items = ITEMS, group = 64;
  if (kernel == spin) check(clSetKernelArg(spin, 1, sizeof rounds, &rounds), "rounds");
  check(clEnqueueNDRangeKernel(into, kernel, 1, NULL, &items, &group, 0, NULL, event), "launch");
}

static void finish(cl_command_queue of) {
  const double begin = seconds();
  check(clFinish(of), "finish");
  in_host_wait += seconds() - begin;
}

static void compute(double duration) {
  const double end = seconds() + duration;
  while (seconds() < end) {}
}

/* How many rounds take so long. The first kernel is compiled when it runs first. */
static int rounds_for(double duration) {
  int rounds = 1000;
  double took = 0;
  cl_event event;
  launch(queue, fill, 0, NULL);
  for (int i = 0; i < 2; ++i) {
    rounds = 100000;
    launch(queue, spin, rounds, &event);
    check(clFinish(queue), "calibration");
    took = time_of(event);
    clReleaseEvent(event);
  }
  return (int)(rounds * duration / took);
}

static void slow(void) {
  const int rounds = rounds_for(0.05);
  for (int i = 0; i < 5; ++i) {
    cl_event event;
    launch(queue, spin, rounds, &event);
    compute(0.01);
    finish(queue);
    in_kernels += time_of(event);
    clReleaseEvent(event);
  }
}

/* Kernels of 20 ms, as many as this process has to execute. */
static void share(int executions) {
  const int rounds = rounds_for(0.02);
  for (int i = 0; i < executions; ++i) {
    cl_event event;
    launch(queue, spin, rounds, &event);
    finish(queue);
    in_kernels += time_of(event);
    clReleaseEvent(event);
  }
}

static void late(void) {
  const int rounds = rounds_for(0.01);
  double ended = 0;
  for (int i = 0; i < 5; ++i) {
    launch(queue, spin, rounds, NULL);
    finish(queue);
    ended = seconds();
    compute(0.03);
    if (i < 4) before_launches += seconds() - ended;
  }
}

static void copies(void) {
  enum { BYTES = 32 << 20 };
  cl_int outcome;
  char* host = malloc(BYTES);
  memset(host, 1, BYTES);
  cl_mem large = clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL, &outcome);
  check(outcome, "large buffer");
  const int rounds = rounds_for(0.01);
  for (int i = 0; i < 5; ++i) {
    cl_event in, out;
    check(clEnqueueWriteBuffer(queue, large, CL_FALSE, 0, BYTES, host, 0, NULL, &in), "write");
    launch(queue, spin, rounds, NULL);
    check(clEnqueueReadBuffer(queue, large, CL_TRUE, 0, BYTES, host, 0, NULL, &out), "read");
    in_copies += time_of(in) + time_of(out);
    clReleaseEvent(in);
    clReleaseEvent(out);
  }
  free(host);
}

static void queues(void) {
  cl_int outcome;
  cl_command_queue second = clCreateCommandQueue(context, device, 0, &outcome);
  check(outcome, "second queue");
  cl_command_queue_properties properties = ~0ul;
  check(clGetCommandQueueInfo(second, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL), "properties");
  printf("properties %lu\n", (unsigned long)properties);
  const int rounds = rounds_for(0.02);
  launch(queue, spin, rounds, NULL);
  launch(second, fill, 0, NULL);
  finish(second);
  finish(queue);
  clReleaseCommandQueue(second);
}

enum { ROUNDS = 5 };

static cl_mem new_buffer(cl_mem_flags flags) {
  cl_int outcome;
  cl_mem buffer = clCreateBuffer(context, flags, ITEMS * sizeof(float), NULL, &outcome);
  check(outcome, "buffer");
  return buffer;
}

static void launch_blend(cl_mem from, cl_mem to, int rounds, cl_uint count, const cl_event* list, cl_event* event) {
  const size_t items = ITEMS, group = 64;
  check(clSetKernelArg(blend, 0, sizeof from, &from), "from");
  check(clSetKernelArg(blend, 1, sizeof to, &to), "to");
  check(clSetKernelArg(blend, 2, sizeof rounds, &rounds), "rounds");
  check(clEnqueueNDRangeKernel(queue, blend, 1, NULL, &items, &group, count, list, event), "blend");
}

static int blend_rounds_for(double duration) {
  enum { TRIED = 10000 };
  cl_mem from = new_buffer(CL_MEM_READ_ONLY), to = new_buffer(CL_MEM_READ_WRITE);
  double took = 0;
  for (int i = 0; i < 2; ++i) {
    cl_event event;
    launch_blend(from, to, TRIED, 0, NULL, &event);
    check(clFinish(queue), "calibration");
    took = time_of(event);
    clReleaseEvent(event);
  }
  clReleaseMemObject(from);
  clReleaseMemObject(to);
  return (int)(TRIED * duration / took);
}

/* What a command that is given now waits for one that is under way. */
static void add_order(double launched, cl_event before) {
  cl_ulong end = 0, queued = 0;
  check(clFinish(queue), "finish");
  clGetEventProfilingInfo(before, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
  clGetEventProfilingInfo(before, CL_PROFILING_COMMAND_QUEUED, sizeof queued, &queued, NULL);
  const double waited = (end - queued) * 1e-9 - launched;
  if (waited > 0) in_order += waited;
}

/* A short kernel behind a long one, some time later. It uses other buffers, or reads the same one. */
static void order(int reads_same) {
  cl_mem from = new_buffer(CL_MEM_READ_ONLY), a = new_buffer(CL_MEM_READ_WRITE), b = new_buffer(CL_MEM_READ_WRITE),
         other = new_buffer(CL_MEM_READ_WRITE);
  const int rounds = blend_rounds_for(0.08);
  launch_blend(from, a, 1, 0, NULL, NULL);
  check(clFinish(queue), "first");
  for (int i = 0; i < ROUNDS; ++i) {
    cl_event slow;
    const double begin = seconds();
    launch_blend(from, a, rounds, 0, NULL, &slow);
    check(clFlush(queue), "flush");
    compute(0.005);
    const double launched = seconds() - begin;
    if (reads_same) {
      launch_blend(from, b, 1, 0, NULL, NULL);
    } else {
      check(clSetKernelArg(fill, 0, sizeof other, &other), "argument");
      launch(queue, fill, 0, NULL);
    }
    add_order(launched, slow);
    clReleaseEvent(slow);
  }
}

/* The second of two kernels reads what the first one writes, writes it, too, or writes what that reads. A part of a
   buffer is that buffer, and a kernel has the arguments that it had when it was launched. */
static void shared(void) {
  cl_int outcome;
  cl_mem a = new_buffer(CL_MEM_READ_WRITE), b = new_buffer(CL_MEM_READ_WRITE), c = new_buffer(CL_MEM_READ_WRITE);
  const cl_buffer_region all = {0, ITEMS * sizeof(float)};
  cl_mem part = clCreateSubBuffer(b, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &all, &outcome);
  check(outcome, "part");
  const int rounds = blend_rounds_for(0.02);
  const cl_mem pairs[][2] = {{b, c}, {c, b}, {c, a}, {part, c}, {c, part}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i) {
    launch_blend(a, b, rounds, 0, NULL, NULL);
    launch_blend(pairs[i][0], pairs[i][1], 1, 0, NULL, NULL);
    check(clFinish(queue), "finish");
  }
}

static void told(void) {
  float host[ITEMS] = {0}, other_host[ITEMS] = {0};
  cl_mem a = new_buffer(CL_MEM_READ_WRITE), b = new_buffer(CL_MEM_READ_WRITE), c = new_buffer(CL_MEM_READ_WRITE),
         d = new_buffer(CL_MEM_READ_WRITE);
  const int rounds = blend_rounds_for(0.02);
  cl_event slow;
  launch_blend(a, b, rounds, 0, NULL, &slow);
  launch_blend(c, d, 1, 1, &slow, NULL);
  check(clFinish(queue), "list");
  clReleaseEvent(slow);
  launch_blend(a, b, rounds, 0, NULL, NULL);
  check(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL), "barrier");
  launch_blend(c, d, 1, 0, NULL, NULL);
  check(clFinish(queue), "barrier");
  launch_blend(a, b, rounds, 0, NULL, NULL);
  check(clEnqueueReadBuffer(queue, b, CL_FALSE, 0, sizeof host, host, 0, NULL, NULL), "read");
  check(clEnqueueWriteBuffer(queue, c, CL_FALSE, 0, sizeof host / 2, host + 8, 0, NULL, NULL), "write");
  check(clFinish(queue), "host");
  /* This one is not told. */
  for (int i = 0; i < ROUNDS; ++i) {
    const double begin = seconds();
    launch_blend(a, b, rounds, 0, NULL, &slow);
    check(clFlush(queue), "flush");
    const double launched = seconds() - begin;
    check(clEnqueueWriteBuffer(queue, c, CL_FALSE, 0, sizeof other_host, other_host, 0, NULL, NULL), "write");
    add_order(launched, slow);
    clReleaseEvent(slow);
  }
}

static void CL_CALLBACK ended(cl_event event, cl_int status, void* count) {
  (void)event, (void)status;
  __atomic_add_fetch((int*)count, 1, __ATOMIC_SEQ_CST);
}

static void events(void) {
  const int rounds = rounds_for(0.02);
  int called = 0;
  cl_event all[4];
  for (int i = 0; i < 4; ++i) {
    launch(queue, spin, rounds, &all[i]);
    check(clSetEventCallback(all[i], CL_COMPLETE, ended, &called), "callback");
  }
  check(clFlush(queue), "flush");
  const double begin = seconds();
  check(clWaitForEvents(4, all), "wait");
  in_host_wait += seconds() - begin;
  for (int i = 0; i < 4; ++i) {
    cl_uint references = 0;
    in_kernels += time_of(all[i]);
    check(clGetEventInfo(all[i], CL_EVENT_REFERENCE_COUNT, sizeof references, &references, NULL), "references");
    clReleaseEvent(all[i]);
  }
  while (__atomic_load_n(&called, __ATOMIC_SEQ_CST) < 4) {}
  printf("callbacks %d\n", called);
}

int main(int argc, char** argv) {
  const char* which = argc > 1 ? argv[1] : "";
  const int is_out_of_order = !strcmp(which, "events"), is_plain = !strcmp(which, "queues");
  set_up((is_plain ? 0 : CL_QUEUE_PROFILING_ENABLE) | (is_out_of_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0));
  if (!strcmp(which, "slow")) slow();
  else if (!strcmp(which, "little") || !strcmp(which, "much")) share(!strcmp(which, "much") ? 12 : 4);
  else if (!strcmp(which, "late")) late();
  else if (!strcmp(which, "copies")) copies();
  else if (!strcmp(which, "queues")) queues();
  else if (!strcmp(which, "events")) events();
  else if (!strcmp(which, "order")) order(0);
  else if (!strcmp(which, "read")) order(1);
  else if (!strcmp(which, "shared")) shared();
  else if (!strcmp(which, "told")) told();
  else return 2;
  fprintf(stderr, "host_wait %.6f kernels %.6f launches %.6f copies %.6f order %.6f\n", in_host_wait, in_kernels,
          before_launches, in_copies, in_order);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  puts("done");
  return 0;
}

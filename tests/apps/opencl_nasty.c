/* opencl_nasty.c -- programs of OpenCL that a recorder could spoil.

   usage: opencl_nasty CASE
     failing     commands that fail, with events that are none
     properties  queues that are asked for what they were given
     destroyed   a context whose end the program waits for, without having waited for its work
     fork        children that exit, while the parent's device works
     queues      2,000 queues, one after the other
     signal      exit() in a handler, while the program asks for an event
     within      copies and fills of the device's memory
     objects     kernels and buffers that are released while they are used, and whose handles are used again
     threads     threads that use one kernel and one queue */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char* kSource =
    "__kernel void spin(__global float* data, int rounds) {\n"
    "  float value = data[0];\n"
    "  for (int i = 0; i < rounds; ++i) value = value * 0.999f + 1.0f;\n"
    "  data[0] = value;\n"
    "}\n";

static cl_context context;
static cl_device_id device;
static cl_program program;
static cl_kernel spin;
static cl_mem data;

static void set_up(void) {
  cl_platform_id platform;
  clGetPlatformIDs(1, &platform, NULL);
  clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
  context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  program = clCreateProgramWithSource(context, 1, &kSource, NULL, NULL);
  if (clBuildProgram(program, 1, &device, "", NULL, NULL) != CL_SUCCESS) exit(1);
  spin = clCreateKernel(program, "spin", NULL);
  data = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, NULL);
  clSetKernelArg(spin, 0, sizeof data, &data);
}

static cl_int launch(cl_command_queue queue, int rounds, size_t group, cl_event* event) {
  const size_t items = 1;
  clSetKernelArg(spin, 1, sizeof rounds, &rounds);
  return clEnqueueNDRangeKernel(queue, spin, 1, NULL, &items, &group, 0, NULL, event);
}

static cl_command_queue new_queue(void) { return clCreateCommandQueue(context, device, 0, NULL); }

static void failing(void) {
  cl_command_queue queue = new_queue();
  cl_event event = (cl_event)(size_t)0x1234;
  char bytes[64];
  printf("launch %d\n", launch(queue, 1, 3, &event));
  printf("read %d\n", clEnqueueReadBuffer(queue, data, CL_TRUE, 4090, 64, bytes, 0, NULL, &event));
  printf("queue %d\n", launch(NULL, 1, 1, &event));
  printf("event untouched: %d\n", event == (cl_event)(size_t)0x1234);
  clReleaseCommandQueue(queue);
}

static void ask(cl_command_queue queue) {
  cl_command_queue_properties flags = 99;
  cl_queue_properties list[8] = {9, 9, 9, 9, 9, 9, 9, 9};
  size_t size = 77;
  cl_int outcome = clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof flags, &flags, NULL);
  printf("%d flags %lu\n", outcome, (unsigned long)flags);
  outcome = clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, 0, NULL, &size);
  printf("%d size %zu\n", outcome, size);
  for (size_t room = 0; room <= sizeof list; room += 8) {
    outcome = clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, room, list, &size);
    printf("%d in %zu: %zu %lu %lu %lu\n", outcome, room, size, (unsigned long)list[0], (unsigned long)list[1],
           (unsigned long)list[2]);
  }
  clReleaseCommandQueue(queue);
}

static void properties(void) {
  const cl_queue_properties empty[] = {0}, flags[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0},
                            profiled[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
  ask(new_queue());
  ask(clCreateCommandQueueWithProperties(context, device, NULL, NULL));
  ask(clCreateCommandQueueWithProperties(context, device, empty, NULL));
  ask(clCreateCommandQueueWithProperties(context, device, flags, NULL));
  ask(clCreateCommandQueueWithProperties(context, device, profiled, NULL));
}

static void CL_CALLBACK note_end(cl_context of, void* is_destroyed) {
  (void)of;
  __atomic_store_n((int*)is_destroyed, 1, __ATOMIC_SEQ_CST);
}

static void wait_moment(void) { nanosleep(&(struct timespec){0, 1000000}, NULL); }

static void destroyed(void) {
  int is_destroyed = 0, moments = 0;
  cl_command_queue queue = new_queue();
  cl_event event;
  cl_int status = CL_QUEUED;
  clSetContextDestructorCallback(context, note_end, &is_destroyed);
  launch(queue, 1000, 1, &event);
  clFlush(queue);
  while (status > CL_COMPLETE) clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
  clReleaseEvent(event);
  clReleaseCommandQueue(queue);
  clReleaseMemObject(data);
  clReleaseKernel(spin);
  clReleaseProgram(program);
  clReleaseContext(context);
  for (; !__atomic_load_n(&is_destroyed, __ATOMIC_SEQ_CST) && moments < 3000; ++moments) wait_moment();
  printf("destroyed: %d\n", is_destroyed);
}

static void forks(void) {
  cl_command_queue queue = new_queue();
  fflush(stdout);
  for (int i = 0; i < 10; ++i) {
    int status = 0;
    launch(queue, 1000000, 1, NULL);
    clFlush(queue);
    const pid_t child = fork();
    if (child == 0) exit(3);
    waitpid(child, &status, 0);
    printf("child %d\n", WEXITSTATUS(status));
  }
  clFinish(queue);
}

static void queues(void) {
  int wrong = 0;
  for (int i = 0; i < 2000; ++i) {
    cl_command_queue queue = new_queue();
    cl_command_queue_properties flags = 99;
    clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof flags, &flags, NULL);
    wrong += flags != 0;
    launch(queue, 1, 1, NULL);
    if (i % 2) clFinish(queue);
    clReleaseCommandQueue(queue);
  }
  printf("wrong answers: %d\n", wrong);
}

static void leave(int number) { exit(number == SIGALRM ? 5 : 6); }

static void on_signal(void) {
  cl_command_queue queue = new_queue();
  cl_event event;
  cl_int status;
  const struct itimerval soon = {{0, 0}, {0, 20000}};
  signal(SIGALRM, leave);
  setitimer(ITIMER_REAL, &soon, NULL);
  launch(queue, 1 << 30, 1, &event);
  clFlush(queue);
  for (;;) clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
}

static void within(void) {
  enum { BYTES = 16 << 20 };
  cl_command_queue queue = new_queue();
  cl_mem from = clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL, NULL),
         to = clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL, NULL);
  const int zero = 0;
  clEnqueueFillBuffer(queue, from, &zero, sizeof zero, 0, BYTES, 0, NULL, NULL);
  clEnqueueCopyBuffer(queue, from, to, 0, 0, BYTES, 0, NULL, NULL);
  clFinish(queue);
}

static cl_mem new_buffer(void) { return clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, NULL); }

static cl_int launch_on(cl_command_queue queue, cl_kernel kernel, cl_mem buffer, int rounds) {
  const size_t one = 1;
  clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
  clSetKernelArg(kernel, 1, sizeof rounds, &rounds);
  return clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL);
}

static void objects(void) {
  enum { MANY = 5000 };
  static cl_mem many[MANY];
  cl_command_queue queue = new_queue();
  int wrong = 0;
  /* Handles come again, mostly at once. */
  for (int i = 0; i < 200; ++i) {
    cl_mem buffer = new_buffer();
    cl_kernel kernel = clCreateKernel(program, "spin", NULL), clone = clCloneKernel(kernel, NULL);
    clRetainMemObject(buffer);
    clRetainKernel(kernel);
    wrong += launch_on(queue, kernel, buffer, 10000) != CL_SUCCESS;
    clReleaseKernel(kernel);
    wrong += launch_on(queue, kernel, buffer, 1) != CL_SUCCESS;
    clReleaseKernel(kernel);
    if (clone) clReleaseKernel(clone);
    clReleaseMemObject(buffer);
    if (i % 2) clFinish(queue);
    clReleaseMemObject(buffer);
  }
  /* A part outlives the whole. */
  const cl_buffer_region half = {0, 2048};
  cl_mem whole = new_buffer(), part = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &half, NULL);
  clReleaseMemObject(whole);
  wrong += launch_on(queue, spin, part, 1) != CL_SUCCESS;
  clReleaseMemObject(part);
  for (int i = 0; i < MANY; ++i) many[i] = new_buffer();
  for (int i = 0; i < MANY; ++i) wrong += launch_on(queue, spin, many[i], 1) != CL_SUCCESS;
  clFinish(queue);
  for (int i = 0; i < MANY; ++i) clReleaseMemObject(many[i]);
  /* Arguments that are no buffers, and too many of them. */
  printf("no buffer: %d\n", clSetKernelArg(spin, 0, 3, "ab") == CL_SUCCESS);
  printf("no argument: %d\n", clSetKernelArg(spin, 1u << 31, 4, &wrong) == CL_SUCCESS);
  const size_t one = 1;
  printf("not set: %d\n", clEnqueueNDRangeKernel(queue, clCreateKernel(program, "spin", NULL), 1, NULL, &one, &one, 0,
                                                 NULL, NULL) == CL_SUCCESS);
  printf("wrong: %d\n", wrong);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static cl_command_queue of_threads;

static void* use_queue(void* wrong) {
  for (int i = 0; i < 500; ++i) {
    cl_mem buffer = new_buffer();
    cl_event event;
    float value = 0;
    pthread_mutex_lock(&mutex);
    int failures = launch_on(of_threads, spin, buffer, 100) != CL_SUCCESS;
    pthread_mutex_unlock(&mutex);
    failures += clEnqueueReadBuffer(of_threads, buffer, i % 7 == 0, 0, sizeof value, &value, 0, NULL, &event) != CL_SUCCESS;
    failures += clWaitForEvents(1, &event) != CL_SUCCESS;
    clReleaseEvent(event);
    clReleaseMemObject(buffer);
    __atomic_add_fetch((int*)wrong, failures, __ATOMIC_SEQ_CST);
  }
  return NULL;
}

static void threads(void) {
  pthread_t all[8];
  int wrong = 0;
  of_threads = new_queue();
  for (int i = 0; i < 8; ++i) pthread_create(&all[i], NULL, use_queue, &wrong);
  for (int i = 0; i < 8; ++i) pthread_join(all[i], NULL);
  printf("wrong: %d\n", wrong);
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*run)(void);
  } cases[] = {{"failing", failing}, {"properties", properties}, {"destroyed", destroyed}, {"fork", forks},
               {"queues", queues},   {"signal", on_signal},      {"within", within},     {"objects", objects},
               {"threads", threads}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    if (argc == 2 && !strcmp(argv[1], cases[i].name)) {
      set_up();
      cases[i].run();
      return 0;
    }
  return 2;
}

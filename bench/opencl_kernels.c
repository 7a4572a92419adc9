/* opencl_kernels.c -- microseconds that each of many kernels of OpenCL takes, with a wait behind every tenth.

   usage: opencl_kernels KERNELS MICROSECONDS     of about that length */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const char* kSource =
    "__kernel void spin(__global float* data, int rounds) {\n"
    "  float value = data[get_global_id(0)];\n"
    "  for (int i = 0; i < rounds; ++i) value = value * 0.999f + 1.0f;\n"
    "  data[get_global_id(0)] = value;\n"
    "}\n";

static cl_command_queue queue;
static cl_kernel kernel;

static double seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

static double run(int count, int rounds) {
  const size_t items = 64;
  clSetKernelArg(kernel, 1, sizeof rounds, &rounds);
  const double begin = seconds();
  for (int i = 0; i < count; ++i) {
    if (clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL) != CL_SUCCESS) exit(1);
    if (i % 10 == 9) clFinish(queue);
  }
  clFinish(queue);
  return seconds() - begin;
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const int count = atoi(argv[1]);
  cl_platform_id platform;
  cl_device_id device;
  if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL)) return 1;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  queue = clCreateCommandQueue(context, device, 0, NULL);
  cl_program program = clCreateProgramWithSource(context, 1, &kSource, NULL, NULL);
  if (clBuildProgram(program, 1, &device, "", NULL, NULL) != CL_SUCCESS) return 1;
  kernel = clCreateKernel(program, "spin", NULL);
  cl_mem data = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, NULL);
  clSetKernelArg(kernel, 0, sizeof data, &data);
  run(10, 1000);
  const int probe = 100000;
  const double each = run(10, probe) / 10;
  const int rounds = (int)(probe * atof(argv[2]) * 1e-6 / each);
  printf("%.3f\n", run(count, rounds) / count * 1e6);
  return 0;
}

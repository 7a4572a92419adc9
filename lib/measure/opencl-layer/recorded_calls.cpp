// recorded_calls.cpp -- which functions of OpenCL are recorded, and as what.
//
// Functions that only ask or set something are not: a program may call them very often, and they take no time.
#include <cstdlib>

#include "measure/opencl-layer/recorded_function.hpp"

namespace tarry::measure {

char* name_of_kernel(cl_kernel kernel) {
  std::size_t size = 0;
  if (g_next.clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, 0, nullptr, &size) != CL_SUCCESS || size == 0)
    return nullptr;
  auto* const name = static_cast<char*>(std::malloc(size));
  if (!name || g_next.clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, size, name, nullptr) != CL_SUCCESS)
    return std::free(name), nullptr;
  name[size - 1] = '\0';
  return name;
}

namespace {

constexpr auto kIn = DoneWork::Kind::kCopyToDevice, kOut = DoneWork::Kind::kCopyToHost,
               kWithin = DoneWork::Kind::kCopyWithin;

#define TARRY_PUT(function, ...) put_in_front<&cl_icd_dispatch::function>(table, __VA_ARGS__::call, #function);
#define TARRY_PLAIN(function) TARRY_PUT(function, PlainCall<&cl_icd_dispatch::function>)
#define TARRY_ENQUEUES(function, ...) \
  TARRY_PUT(function, EnqueueCall<&cl_icd_dispatch::function, CommandKind{__VA_ARGS__}>)

void replace_management(cl_icd_dispatch& table) {
  TARRY_PLAIN(clCreateContext)
  TARRY_PLAIN(clCreateContextFromType)
  TARRY_PLAIN(clReleaseContext)
  TARRY_PLAIN(clCreateProgramWithSource)
  TARRY_PLAIN(clCreateProgramWithBinary)
  TARRY_PLAIN(clBuildProgram)
  TARRY_PLAIN(clCompileProgram)
  TARRY_PLAIN(clLinkProgram)
  TARRY_PLAIN(clReleaseProgram)
  TARRY_PLAIN(clFlush)
  TARRY_PLAIN(clWaitForEvents)
}

void replace_kernels(cl_icd_dispatch& table) {
  TARRY_ENQUEUES(clEnqueueNDRangeKernel, .kernel = 1)
  TARRY_ENQUEUES(clEnqueueTask, .kernel = 1)
  TARRY_ENQUEUES(clEnqueueNativeKernel)
}

void replace_copies(cl_icd_dispatch& table) {
  TARRY_ENQUEUES(clEnqueueReadBuffer, .kind = kOut, .bytes = 4, .reads = 1, .host = 5)
  TARRY_ENQUEUES(clEnqueueWriteBuffer, .kind = kIn, .bytes = 4, .writes = 1, .host = 5)
  TARRY_ENQUEUES(clEnqueueReadBufferRect, .kind = kOut, .extent = 5, .reads = 1, .host = 10)
  TARRY_ENQUEUES(clEnqueueWriteBufferRect, .kind = kIn, .extent = 5, .writes = 1, .host = 10)
  TARRY_ENQUEUES(clEnqueueReadImage, .kind = kOut, .reads = 1, .host = 7)
  TARRY_ENQUEUES(clEnqueueWriteImage, .kind = kIn, .writes = 1, .host = 7)
  TARRY_ENQUEUES(clEnqueueMapBuffer, .kind = kOut, .event = 8, .bytes = 5, .writes = 1, .maps = true)
  TARRY_ENQUEUES(clEnqueueMapImage, .kind = kOut, .event = 10, .writes = 1, .maps = true)
  TARRY_ENQUEUES(clEnqueueUnmapMemObject, .kind = kIn, .writes = 1, .maps = true)
  TARRY_ENQUEUES(clEnqueueMigrateMemObjects, .kind = kIn)
}

void replace_copies_within(cl_icd_dispatch& table) {
  TARRY_ENQUEUES(clEnqueueCopyBuffer, .kind = kWithin, .bytes = 5, .reads = 1, .writes = 2)
  TARRY_ENQUEUES(clEnqueueCopyBufferRect, .kind = kWithin, .extent = 5, .reads = 1, .writes = 2)
  TARRY_ENQUEUES(clEnqueueFillBuffer, .kind = kWithin, .bytes = 5, .writes = 1)
  TARRY_ENQUEUES(clEnqueueCopyImage, .kind = kWithin, .reads = 1, .writes = 2)
  TARRY_ENQUEUES(clEnqueueFillImage, .kind = kWithin, .writes = 1)
  TARRY_ENQUEUES(clEnqueueCopyImageToBuffer, .kind = kWithin, .reads = 1, .writes = 2)
  TARRY_ENQUEUES(clEnqueueCopyBufferToImage, .kind = kWithin, .reads = 1, .writes = 2)
}

// Memory that host and accelerator share. A copy of it may be within either.
void replace_shared_memory(cl_icd_dispatch& table) {
  TARRY_ENQUEUES(clEnqueueSVMMemcpy, .kind = kWithin, .bytes = 4)
  TARRY_ENQUEUES(clEnqueueSVMMemFill, .kind = kWithin, .bytes = 4)
  TARRY_ENQUEUES(clEnqueueSVMMap, .kind = kOut, .bytes = 4)
  TARRY_ENQUEUES(clEnqueueSVMUnmap, .kind = kIn)
  TARRY_ENQUEUES(clEnqueueSVMMigrateMem, .kind = kIn)
}

}  // namespace

void replace_calls(cl_icd_dispatch& table) {
  replace_management(table);
  replace_kernels(table);
  replace_copies(table);
  replace_copies_within(table);
  replace_shared_memory(table);
}

}  // namespace tarry::measure

// cuda_functions_test.cpp -- which functions of CUDA are recorded, by which names.
#include "measure/cuda-layer/cuda_functions.hpp"

#include <gtest/gtest.h>

namespace tarry::measure {
namespace {

TEST(CudaFunctions, NamesAreThoseOfPrograms) {
  EXPECT_EQ(name_in_programs("cudaLaunchKernel_ptsz_v7000"), "cudaLaunchKernel");
  EXPECT_EQ(name_in_programs("cuMemcpyHtoDAsync_v2_ptsz"), "cuMemcpyHtoDAsync");
  EXPECT_EQ(name_in_programs("cuLaunchKernel"), "cuLaunchKernel");
  EXPECT_EQ(name_in_programs("__cudaRegisterFunction_v13000"), "");
}

TEST(CudaFunctions, WorkWaitsAndMemoryAreRecorded) {
  for (const char* name : {"cudaLaunchKernel", "cuLaunchKernelEx", "cudaGraphLaunch", "cudaMemcpyAsync", "cuMemsetD32"})
    EXPECT_TRUE(is_recorded_function(name) && starts_work(name)) << name;
  for (const char* name : {"cudaDeviceSynchronize", "cuCtxSynchronize", "cudaStreamWaitEvent", "cudaMalloc",
                           "cuMemFree", "cudaSetDevice", "cuDevicePrimaryCtxRetain", "cudaGraphInstantiate"})
    EXPECT_TRUE(is_recorded_function(name) && !starts_work(name)) << name;
}

TEST(CudaFunctions, QuestionsAreNot) {
  for (const char* name : {"cudaGetLastError", "cuCtxGetCurrent", "cudaEventQuery", "cudaStreamQuery", "cudaGetDevice",
                           "cudaGraphAddMemcpyNode", "cuMemGetInfo", "cudaFuncGetAttributes", "", "malloc"})
    EXPECT_FALSE(is_recorded_function(name)) << name;
}

}  // namespace
}  // namespace tarry::measure

// accelerator_calls_test.cpp -- what a call of an accelerator's library is for.
#include "defs/accelerator_calls.hpp"

#include <gtest/gtest.h>

namespace tarry {
namespace {

TEST(AcceleratorCalls, NamesTellWhatAcceleratorsAreCalledFor) {
  using enum AcceleratorCall;
  EXPECT_EQ(accelerator_call(Paradigm::kCuda, "cudaStreamSynchronize"), kSynchronization);
  EXPECT_EQ(accelerator_call(Paradigm::kOpenCl, "clWaitForEvents"), kSynchronization);
  EXPECT_EQ(accelerator_call(Paradigm::kOpenAcc, "acc_wait@pack_kernel.f90:73"), kSynchronization);
  EXPECT_EQ(accelerator_call(Paradigm::kCuda, "cuMemcpyDtoHAsync_v2"), kTransfer);
  EXPECT_EQ(accelerator_call(Paradigm::kOpenCl, "clEnqueueReadBuffer"), kTransfer);
  EXPECT_EQ(accelerator_call(Paradigm::kCuda, "cudaGraphLaunch"), kLaunch);
  EXPECT_EQ(accelerator_call(Paradigm::kOpenCl, "clEnqueueNDRangeKernel"), kLaunch);
  EXPECT_EQ(accelerator_call(Paradigm::kCuda, "cuStreamWaitEvent"), kManagement);
  EXPECT_EQ(accelerator_call(Paradigm::kHip, "hipMalloc"), kManagement);
  EXPECT_EQ(accelerator_call(Paradigm::kOpenMp, "!$omp target @a.c:3"), kManagement);
  EXPECT_EQ(accelerator_call(Paradigm::kOpenMp, "!$omp target wait @a.c:3"), kSynchronization);
  EXPECT_EQ(accelerator_call(Paradigm::kOpenMp, "!$omp task @a.c:3"), kNone);
  EXPECT_EQ(accelerator_call(Paradigm::kUser, "Synchronize"), kNone);
}

}  // namespace
}  // namespace tarry

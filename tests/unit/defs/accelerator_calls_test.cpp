// accelerator_calls_test.cpp -- what a call of an accelerator's library is for.
#include "defs/accelerator_calls.hpp"

#include <gtest/gtest.h>

namespace tarry {
namespace {

TEST(AcceleratorCalls, NamesTellWhatAcceleratorsAreCalledFor) {
  using enum AcceleratorCall;
  EXPECT_EQ(accelerator_call("cudaStreamSynchronize"), kSynchronization);
  EXPECT_EQ(accelerator_call("clWaitForEvents"), kSynchronization);
  EXPECT_EQ(accelerator_call("acc_wait@pack_kernel.f90:73"), kSynchronization);
  EXPECT_EQ(accelerator_call("cuMemcpyDtoHAsync_v2"), kTransfer);
  EXPECT_EQ(accelerator_call("clEnqueueReadBuffer"), kTransfer);
  EXPECT_EQ(accelerator_call("cudaGraphLaunch"), kLaunch);
  EXPECT_EQ(accelerator_call("clEnqueueNDRangeKernel"), kLaunch);
  EXPECT_EQ(accelerator_call("cuStreamWaitEvent"), kManagement);
  EXPECT_EQ(accelerator_call("hipMalloc"), kManagement);
}

}  // namespace
}  // namespace tarry

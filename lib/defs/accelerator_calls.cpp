// accelerator_calls.cpp -- what functions of CUDA, HIP, OpenCL and OpenACC are called for, by their names.
#include "defs/accelerator_calls.hpp"

#include <algorithm>

namespace tarry {
namespace {

struct NamePart {
  std::string_view text;  // somewhere in the name
  AcceleratorCall call;
};

// The first part that a name has decides. cuStreamWaitEvent has none of them: it orders work, and its caller does not
// wait.
constexpr NamePart kParts[] = {
    {"Synchronize", AcceleratorCall::kSynchronization},
    {"clFinish", AcceleratorCall::kSynchronization},
    {"clWaitForEvents", AcceleratorCall::kSynchronization},
    {"WAIT FOR COMMAND QUEUE", AcceleratorCall::kSynchronization},  // by a recorder, inside clFinish
    {"acc_wait", AcceleratorCall::kSynchronization},
    {"Memcpy", AcceleratorCall::kTransfer},
    {"Memset", AcceleratorCall::kTransfer},
    {"MemPrefetch", AcceleratorCall::kTransfer},
    {"EnqueueRead", AcceleratorCall::kTransfer},
    {"EnqueueWrite", AcceleratorCall::kTransfer},
    {"EnqueueCopy", AcceleratorCall::kTransfer},
    {"EnqueueFill", AcceleratorCall::kTransfer},
    {"EnqueueMap", AcceleratorCall::kTransfer},
    {"EnqueueUnmap", AcceleratorCall::kTransfer},
    {"EnqueueMigrate", AcceleratorCall::kTransfer},
    {"EnqueueSVM", AcceleratorCall::kTransfer},
    {"acc_update", AcceleratorCall::kTransfer},
    {"acc_upload", AcceleratorCall::kTransfer},
    {"acc_download", AcceleratorCall::kTransfer},
    {"acc_enter_data", AcceleratorCall::kTransfer},
    {"acc_exit_data", AcceleratorCall::kTransfer},
    {"acc_data", AcceleratorCall::kTransfer},
    {"Launch", AcceleratorCall::kLaunch},
    {"EnqueueNDRangeKernel", AcceleratorCall::kLaunch},
    {"EnqueueTask", AcceleratorCall::kLaunch},
    {"EnqueueNativeKernel", AcceleratorCall::kLaunch},
    {"acc_launch", AcceleratorCall::kLaunch},
    {"acc_kernels", AcceleratorCall::kLaunch},
    {"acc_parallel", AcceleratorCall::kLaunch},
    {"acc_compute", AcceleratorCall::kLaunch},
};

}  // namespace

AcceleratorCall accelerator_call(std::string_view name) {
  const auto found =
      std::ranges::find_if(kParts, [name](const NamePart& part) { return name.find(part.text) != name.npos; });
  return found == std::end(kParts) ? AcceleratorCall::kManagement : found->call;
}

}  // namespace tarry

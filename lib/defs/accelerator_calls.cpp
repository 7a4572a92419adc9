// accelerator_calls.cpp -- what calls of CUDA, HIP, OpenCL, OpenACC and OpenMP's target constructs are for, by their
// names.
#include "defs/accelerator_calls.hpp"

#include <algorithm>

namespace tarry {
namespace {

struct NamePart {
  std::string_view text;  // somewhere in the name
  AcceleratorCall call;
};

// Of OpenMP's constructs that compute on accelerators.
constexpr std::string_view kTargetPrefix = "!$omp target";

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
    {"!$omp target wait", AcceleratorCall::kSynchronization},
    {"!$omp target copy", AcceleratorCall::kTransfer},
    {"!$omp target launch", AcceleratorCall::kLaunch},
};

}  // namespace

AcceleratorCall accelerator_call(Paradigm paradigm, std::string_view name) {
  if (!is_of_accelerators(paradigm) && !name.starts_with(kTargetPrefix)) return AcceleratorCall::kNone;
  const auto found =
      std::ranges::find_if(kParts, [name](const NamePart& part) { return name.find(part.text) != name.npos; });
  return found == std::end(kParts) ? AcceleratorCall::kManagement : found->call;
}

}  // namespace tarry

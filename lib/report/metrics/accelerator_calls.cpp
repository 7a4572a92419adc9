// accelerator_calls.cpp -- what functions of CUDA, HIP, OpenCL and OpenACC are called for, by their names.
#include "report/metrics/accelerator_calls.hpp"

#include <algorithm>

namespace tarry {
namespace {

struct NamePart {
  std::string_view text;  // somewhere in the name
  Metric metric;
};

// The first part that a name has decides. cuStreamWaitEvent has none of them: it orders work, and its caller does not
// wait.
constexpr NamePart kParts[] = {
    {"Synchronize", Metric::kAcceleratorSynchronization},
    {"clFinish", Metric::kAcceleratorSynchronization},
    {"clWaitForEvents", Metric::kAcceleratorSynchronization},
    {"WAIT FOR COMMAND QUEUE", Metric::kAcceleratorSynchronization},  // by a recorder, inside clFinish
    {"acc_wait", Metric::kAcceleratorSynchronization},
    {"Memcpy", Metric::kAcceleratorTransfer},
    {"Memset", Metric::kAcceleratorTransfer},
    {"MemPrefetch", Metric::kAcceleratorTransfer},
    {"EnqueueRead", Metric::kAcceleratorTransfer},
    {"EnqueueWrite", Metric::kAcceleratorTransfer},
    {"EnqueueCopy", Metric::kAcceleratorTransfer},
    {"EnqueueFill", Metric::kAcceleratorTransfer},
    {"EnqueueMap", Metric::kAcceleratorTransfer},
    {"EnqueueUnmap", Metric::kAcceleratorTransfer},
    {"EnqueueMigrate", Metric::kAcceleratorTransfer},
    {"EnqueueSVM", Metric::kAcceleratorTransfer},
    {"acc_update", Metric::kAcceleratorTransfer},
    {"acc_upload", Metric::kAcceleratorTransfer},
    {"acc_download", Metric::kAcceleratorTransfer},
    {"acc_enter_data", Metric::kAcceleratorTransfer},
    {"acc_exit_data", Metric::kAcceleratorTransfer},
    {"acc_data", Metric::kAcceleratorTransfer},
    {"Launch", Metric::kAcceleratorLaunch},
    {"EnqueueNDRangeKernel", Metric::kAcceleratorLaunch},
    {"EnqueueTask", Metric::kAcceleratorLaunch},
    {"EnqueueNativeKernel", Metric::kAcceleratorLaunch},
    {"acc_launch", Metric::kAcceleratorLaunch},
    {"acc_kernels", Metric::kAcceleratorLaunch},
    {"acc_parallel", Metric::kAcceleratorLaunch},
    {"acc_compute", Metric::kAcceleratorLaunch},
};

}  // namespace

Metric accelerator_call(std::string_view name) {
  const auto found =
      std::ranges::find_if(kParts, [name](const NamePart& part) { return name.find(part.text) != name.npos; });
  return found == std::end(kParts) ? Metric::kAcceleratorManagement : found->metric;
}

}  // namespace tarry

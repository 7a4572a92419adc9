// cuda_functions.hpp -- which functions of CUDA are recorded, and as what.
//
// Functions that only ask or set something are not: a program may call them very often, and they take no time.
//
// Calls: may block.
#pragma once

#include <string_view>

#include "measure/cuda-layer/cuda_layer.hpp"

namespace tarry::measure {

struct CudaFunction {
  DeviceFunction function;
  bool starts_work = false;       // a kernel or a copy, or many
  bool waits_for_stream = false;  // which is its only argument
  bool is_per_thread = false;     // it takes no stream for the one of the thread
  bool ends_contexts = false;     // with what is known of their work
};

/// The name that programs use. CUPTI's has the version of the interface, and of the default stream:
/// "cudaLaunchKernel_ptsz_v7000".
std::string_view name_in_programs(std::string_view cupti_name);

/// Whether it is recorded, and whether it starts work: by its name in programs.
bool is_recorded_function(std::string_view name);
bool starts_work(std::string_view name);

/// Has CUPTI tell of all functions that are recorded. Called once.
void watch_functions(CUpti_SubscriberHandle subscriber);

/// nullptr: it is not recorded.
CudaFunction* find_function(CUpti_CallbackDomain domain, CUpti_CallbackId number);

}  // namespace tarry::measure

// accelerator_calls.hpp -- what functions of CUDA, HIP, OpenCL and OpenACC are called for, by their names.
//
// Source: docs/METRICS.md, "Accelerators".
#pragma once

#include <string_view>

#include "report/metrics/metrics.hpp"

namespace tarry {

/// The leaf of the time tree for a call of an accelerator's library: kAcceleratorManagement if the name tells no more.
Metric accelerator_call(std::string_view name);

}  // namespace tarry

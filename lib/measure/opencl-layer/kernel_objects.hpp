// kernel_objects.hpp -- kernels of the program, and the arguments that they were given.
//
// Calls: may block.
#pragma once

#include "measure/opencl-layer/command_uses.hpp"
#include "measure/opencl-layer/layer.hpp"

namespace tarry::measure {

/// Adds the memory that a launch of the kernel may use, by the arguments that it has now. Linear in its arguments,
/// which are at most kMostArguments.
void add_uses_of_kernel(cl_kernel kernel, CommandUses& uses);

/// Puts functions that create, release and set up kernels in front of those of the driver.
void replace_kernel_calls(cl_icd_dispatch& table);

}  // namespace tarry::measure

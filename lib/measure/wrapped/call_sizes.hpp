// call_sizes.hpp -- the sizes that a function of a library is called with, as a region inside its own.
//
// Calls: handler-safe.
#pragma once

#include "defs/definitions.hpp"
#include "measure/processor/saved_call.hpp"
#include "measure/wrapped/wrapped_function.hpp"

namespace tarry::measure {

/// "dgemm_(m=100,n=100,k=8)"; all beyond 64 of one function share "dgemm_(...)". Not valid: the function has none, or
/// there is no memory. `stack` is the caller's stack pointer.
RegionId region_of_sizes(WrappedFunction& function, const processor::SavedCall& call, const void* stack);

}  // namespace tarry::measure

// call_path_adapter.hpp -- what the core tells the layer of call paths.
//
// Calls: handler-safe.
#pragma once

#include "measure/core/adapter.hpp"

namespace tarry::measure {

extern const Adapter kCallPathAdapter;

}  // namespace tarry::measure

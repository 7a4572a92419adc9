// mpi_function_info.hpp -- what is known of an MPI function besides its prototype.
//
// Calls: may block.
#pragma once

#include <cstdint>

#include "defs/definitions.hpp"

namespace tarry::measure {

struct MpiFunctionInfo {
  const char* name;
  RegionRole role;
  bool may_be_left_out;  // no other record refers to what it makes or ends
};

}  // namespace tarry::measure

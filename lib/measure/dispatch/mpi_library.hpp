// mpi_library.hpp -- the MPI library that a caller means, and of which kind it is.
//
// Calls: may block.
#pragma once

#include "measure/core/loaded_object.hpp"
#include "measure/dispatch/mpi_abi.hpp"

namespace tarry::measure {

struct MpiLibrary {
  void* init = nullptr;  // its PMPI_Init; nullptr: none is loaded
  MpiKind kind = MpiKind::kUnknown;
};

/// Of an object that defines PMPI_Init.
MpiKind mpi_kind_of(const LoadedObject& library);

/// Among several, the one that the dynamic linker would find for the code at `caller`; else the first in the order of
/// loading.
MpiLibrary find_mpi_library(const void* caller);

/// What code at `caller` would find under that name without us, if it comes behind us and is in no MPI library: another
/// tool's function. nullptr: none is.
void* find_tool_function(const char* name, const void* caller);

}  // namespace tarry::measure

// fortran.hpp -- MPI calls of Fortran programs.
#pragma once

#include <cstddef>

namespace tarry::measure {

/// A function of the MPI library and our wrapper of it.
struct EntryPoint {
  const char* name;  // "PMPI_Send"
  void* entry;       // MPI_Send
};

/// All of them, sorted by name; generated.
extern const EntryPoint kEntryPoints[];
extern const std::size_t kEntryPointCount;

/// Leads the calls of the Fortran libraries that are loaded by now to our entry points. Done when the library is
/// loaded, and again by MPI_Init: a plug-in written in Fortran may have come in between. Harmless when repeated.
void redirect_fortran_calls();

}  // namespace tarry::measure

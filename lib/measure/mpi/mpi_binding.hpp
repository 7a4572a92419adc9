// mpi_binding.hpp -- where the MPI library's functions and objects are, however the program has loaded it.
//
// Calls: may block.
#pragma once

namespace tarry::measure {

/// MPI has been initialised, by whatever function, and has not ended. The binding is that of the latest look.
bool is_mpi_initialised();

/// MPI has been initialised by a session: until it ends, the MPI library stays where it is.
void trust_binding();

/// MPI_Finalize has returned: the program may unload the MPI library, and load it again elsewhere.
void distrust_binding();

/// The program calls MPI_Init from `caller`. Where several MPI libraries are loaded, the caller's own is meant.
void bind_mpi_of(const void* caller);

}  // namespace tarry::measure

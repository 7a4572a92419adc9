// mpi_dispatch.hpp -- to which wrappers the MPI_X that programs call lead.
//
// Calls: may block.
#pragma once

#include "measure/dispatch/mpi_abi.hpp"

namespace tarry::measure {

/// MPI is initialised: calls go straight to these wrappers.
void settle_dispatch(const MpiWrappers& wrappers);

/// MPI_Finalize has returned: each call looks for the library again.
void unsettle_dispatch();

/// The MPI_X that programs find, by name; nullptr for what no wrapper is made of.
void* entry_point_of(const char* name);

/// Programs would not find MPI_X of that name without us: their MPI library does not have it.
bool is_only_ours(const char* name);

/// Of the MPI library that is loaded; nullptr if there is none, or no wrappers for it.
const MpiStarter* find_mpi_starter();

/// Points the calls of Fortran libraries and other tools that are loaded at the wrappers.
void redirect_all_calls();

/// `caller` initialises MPI by another way than MPI_X. Ends the recording if no wrappers are for its library.
void leave_unknown_library_alone(const void* caller);

/// Notes it if an MPI library that is loaded by now ends the program.
void watch_aborts();

}  // namespace tarry::measure

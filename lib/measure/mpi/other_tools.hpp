// other_tools.hpp -- other tools that define MPI_X (profilers): calls go through them, and are recorded once.
//
//   the tool's MPI_X is          a call of the program goes
//   behind ours (a library)      to our wrapper, to the tool's MPI_X, to PMPI_X
//   in front of ours (linked     to the tool's MPI_X; where that calls PMPI_X, to our wrapper, and on to PMPI_X
//   into the program)
//   a Fortran function           the same, if it calls PMPI_X of C; pmpi_x_ leads there by itself
//
// So the slots of a tool for PMPI_X are pointed at entries of ours. They tell the program's calls from the tool's own.
//
// Calls: may block.
#pragma once

#include "measure/mpi/mpi_api.hpp"

namespace tarry::measure {

/// The next MPI_X behind our wrapper, where that is another tool's; else nullptr.
extern MpiFunctions g_tools;

/// These call the functions of g_tools, and note that the thread is in one.
extern const MpiFunctions kToolCalls;

/// Fills g_tools for a program whose code at `caller` initialises MPI. nullptr: the same as last time.
void find_tools(const void* caller);

/// Leads the calls of other tools and Fortran libraries that are loaded by now to our wrappers. Done when this library
/// is loaded, and again by MPI_Init: others may have come in between. Harmless when repeated.
void redirect_calls();

/// The wrapper that the thread calls next stands for PMPI_X: no tool is behind it. `has_tool`: one would be.
void pass_tool_by(bool has_tool);

/// The entry for a Fortran library's calls of PMPI_X, which no tool's MPI_X sees. nullptr: our wrapper will do.
void* entry_past_tools(const char* pmpi_name);

}  // namespace tarry::measure

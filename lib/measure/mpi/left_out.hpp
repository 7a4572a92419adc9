// left_out.hpp -- which functions of MPI are not recorded: by rules of the filter (TARRY_FILTER), and by TARRY_EVENTS.
//
// A rule counts for MPI if its pattern begins with MPI_, so that "EXCLUDE *" leaves only functions of the program out.
// What makes communicators, windows, files and persistent requests remains, and what completes requests.
//
// Calls: may block.
#pragma once

#include "measure/mpi/mpi_function_info.hpp"

namespace tarry::measure {

/// Notes in the archive what is left out, when that is met first. To be called by one thread at a time.
bool is_left_out(const MpiFunctionInfo& function);

}  // namespace tarry::measure

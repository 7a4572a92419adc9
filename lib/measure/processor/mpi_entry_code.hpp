// mpi_entry_code.hpp -- the code of the entries of MPI functions, for the processor.
//
// TARRY_ASSEMBLED_ENTRY(number, name) defines the function `name`, which jumps to tarry_mpi_targets[number], and
// tarry_choose_N. This one calls tarry_choose_mpi_target(N, return address) with all arguments saved, and jumps to what
// that returns. TARRY_CHOOSE_CODE is what all of these share.
//
// Calls: may block.
#pragma once

#if defined(__x86_64__)
#include "measure/processor/x86_64/x86_64_mpi_entries.hpp"
#elif defined(__aarch64__)
#include "measure/processor/aarch64/aarch64_mpi_entries.hpp"
#else
#include "measure/processor/other/other_mpi_entries.hpp"
#endif

// calling_code.hpp -- tells calls of the program from those of the libraries that run it.
#pragma once

namespace tarry::measure {

/// True if `address` lies in the program or in a library of its own: not in MPI, an OpenMP runtime, the C library or the
/// recorder. Takes no lock and allocates nothing.
bool is_program_code(const void* address);

}  // namespace tarry::measure

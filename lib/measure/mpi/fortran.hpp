// fortran.hpp -- MPI calls of Fortran programs.
//
// Calls: may block.
#pragma once

#include <string_view>

namespace tarry::measure {

/// A library of the bindings, by its file.
bool is_fortran_library(std::string_view path);

/// Leads the calls of the Fortran libraries that are loaded by now to our entry points. See redirect_calls().
void redirect_fortran_calls();

}  // namespace tarry::measure
